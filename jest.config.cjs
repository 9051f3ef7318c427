/** One worker a core on a small machine; services are started once in globalSetup, databases are cloned per file. */
module.exports = {
  testEnvironment: '<rootDir>/test/support/native/environment.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.(t|j)s$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  // ESM-only packages: .js is transformed, .mjs is loaded by Node itself.
  transformIgnorePatterns: ['/node_modules/(?!(cookie|content-disposition|uuid)/)'],
  moduleNameMapper: {
    '^typebox$': '<rootDir>/test/support/native/typebox.cjs',
    '^typebox/(compile|format|value)$': '<rootDir>/test/support/native/typebox-$1.cjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.punctual'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 60_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '1200MB',
}
