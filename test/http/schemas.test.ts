import fastifyRateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import type { FastifySchema } from 'fastify'
import { routesOf } from '../../src/build/http'
import { registerTokens } from '../../src/http/credentials'
import { ErrorAnswer } from '../../src/http/schemas/envelope'
import { createSerializerFactory } from '../../src/http/serializer'
import { createSse } from '../../src/http/sse'
import { STREAM_TIMINGS } from '../../src/http/http-config'
import { createValidator } from '../../src/http/validator'
import { buildAppFixture, HTTP_CONFIG, SECRET } from '../support/app'

describe('schemas that are compiled when they are first needed', () => {
  it('can all be compiled', async () => {
    const house = await buildAppFixture()
    // Fastify's own compilers compile everything before it is ready, or fail.
    const eager = fastify({ routerOptions: { maxParamLength: 2_048 }, ajv: { customOptions: { strict: false } } })
    const schemas: FastifySchema[] = []
    eager.addHook('onRoute', ({ schema }) => void (schema && schemas.push(schema)))
    eager.addSchema(ErrorAnswer)
    await eager.register(fastifyRateLimit, { global: false })
    await registerTokens(eager, SECRET)
    for (const routes of routesOf(house.door, HTTP_CONFIG, createSse(STREAM_TIMINGS))) await eager.register(routes)
    await eager.ready()
    expect(schemas.filter(({ response }) => response !== undefined).length).toBeGreaterThan(50)
    await eager.close()
    await house.close()
  })

  it('check and write as if they had been there from the start', () => {
    const schema = { $id: 'once', type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const check = createValidator()({ schema, method: 'POST', url: '/', httpPart: 'body' })
    expect([check({ n: 1 }), check({ n: 'x' })]).toEqual([true, false])
    expect(check.errors).toMatchObject([{ instancePath: '/n' }])
    expect([check({ n: 2 }), check.errors]).toEqual([true, null])
    const write = createSerializerFactory()({})({ method: 'GET', url: '/', httpStatus: '200', schema })
    expect([write({ n: 1, secret: 'x' }), write({ n: 2 })]).toEqual(['{"n":1}', '{"n":2}'])
  })

  it('are not compiled before', () => {
    const schema = { $ref: 'nowhere#' }
    const write = createSerializerFactory()({})({ method: 'GET', url: '/', httpStatus: '200', schema })
    expect(() => write({})).toThrow(/nowhere/)
  })
})
