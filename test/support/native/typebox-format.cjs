module.exports = globalThis.requireNatively('typebox/format')
