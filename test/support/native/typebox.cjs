module.exports = globalThis.requireNatively('typebox')
