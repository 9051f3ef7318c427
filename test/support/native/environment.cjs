const { TestEnvironment } = require('jest-environment-node')

/** Hands Node's own `require` to the tests: jest's cannot load ESM-only packages on Node 20, Node's can. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.global.requireNatively = require
  }
}
