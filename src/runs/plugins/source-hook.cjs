/** Lets a child process run the sources as they are. Only for tests: what is built needs no compiler. */
const { transformFileSync } = require('@swc/core')

require.extensions['.ts'] = (module, file) => {
  const { code } = transformFileSync(file, {
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs', ignoreDynamic: true },
  })
  module._compile(code, file)
}
