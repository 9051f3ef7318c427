/** One worker a core on a small machine; services are started once in globalSetup, databases are cloned per file. */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.(t|j)s$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  // ESM-only packages; jest cannot require them as they are.
  transformIgnorePatterns: ['/node_modules/(?!(cookie|typebox|uuid|@fastify/type-provider-typebox)/)'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.punctual'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 60_000,
  maxWorkers: 2,
}
