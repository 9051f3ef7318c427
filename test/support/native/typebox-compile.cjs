module.exports = globalThis.requireNatively('typebox/compile')
