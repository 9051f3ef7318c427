import type { FastifyInstance } from 'fastify'
import { readDocument } from './openapi'
import type { OpenApiDocument, SchemaPart } from './openapi'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let document: OpenApiDocument

beforeAll(async () => {
  house = await buildAppFixture()
  app = await buildApp(house)
  document = await readDocument(app)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

/** Names of the properties in a schema, however deep, that say nothing about themselves. */
function undescribed(part: SchemaPart | undefined, at: string): string[] {
  if (!part) return []
  const inside = Object.entries(part.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description ? [] : [`${at}.${name}`]),
    ...undescribed(property, `${at}.${name}`),
  ])
  return [
    ...inside,
    ...undescribed(part.items, `${at}[]`),
    ...(part.anyOf ?? []).flatMap((way) => undescribed(way, at)),
  ]
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

describe('the OpenAPI document', () => {
  it('describes every parameter', () => {
    const bare = operations().flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => !parameter.description)
        .map((found) => `${name} ${found.name}`),
    )
    expect(bare).toEqual([])
  })

  it('describes every part of every body and answer', () => {
    const bare = operations().flatMap(({ name, operation }) => [
      ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => undescribed(schema, name)),
      ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.values(content ?? {}).flatMap(({ schema }) => undescribed(schema as SchemaPart, `${name} ${status}`)),
      ),
    ])
    expect([...new Set(bare)]).toEqual([])
  })

  it('says of every answer what it means', () => {
    const bare = operations().flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { description }]) => !description || description === 'Default Response')
        .map(([status]) => `${name} ${status}`),
    )
    expect(bare).toEqual([])
  })

  it('declares and describes every tag', () => {
    const used = new Set(operations().flatMap(({ operation }) => operation.tags ?? []))
    const declared = document.tags.filter(({ description }) => description).map(({ name }) => name)
    expect([...used].sort()).toEqual(declared.sort())
    expect(operations().filter(({ operation }) => !operation.tags?.length)).toEqual([])
  })

  it('names its server, licence and the shape of a pushed message', () => {
    expect(document.info.license?.name).toBe('MIT')
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) as string }])
    const push = document.paths['/api/v1/messages/send']?.['post']?.requestBody?.content['application/json']?.schema
    expect(push?.properties?.['message']?.anyOf).toHaveLength(2)
  })
})
