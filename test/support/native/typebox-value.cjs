module.exports = globalThis.requireNatively('typebox/value')
