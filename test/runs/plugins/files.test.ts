import { createHash } from 'node:crypto'
import type { PluginHost } from '../../../src/runs/plugins/contract'
import { containing, createTestHost, fixtures, makeCall, matching } from './host-fixture'

let host: PluginHost
beforeAll(async () => (host = await createTestHost({ folders: [fixtures('good')] })))
afterAll(() => host.close())

const MEGABYTE = 1024 * 1024

test('files arrive whole, under a name that is no path', async () => {
  const sizes = [0, 10, MEGABYTE, 3 * MEGABYTE + 7]
  const call = makeCall('local__makes_files', { sizes })
  const { data } = await host.run(call)
  expect(data).toMatchObject(
    sizes.map((size, index) => ({ size, name: `_file ${index}.bin`, content_type: 'image/png' })),
  )
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const expected = sizes.map((size, index) => digest(Buffer.alloc(size, index + 1)))
  expect(call.files.map(({ content }) => digest(content))).toEqual(expected)
})

test('a file over 25 MB and files over 50 MB together are refused', async () => {
  const large = await host.run(makeCall('local__makes_files', { sizes: [25 * MEGABYTE + 1] }))
  expect(large).toMatchObject({
    code: 'ERR',
    error: { message: containing('larger than 26214400 bytes') },
  })
  const call = makeCall('local__makes_files', { sizes: [20 * MEGABYTE, 20 * MEGABYTE, 20 * MEGABYTE] })
  expect(await host.run(call)).toMatchObject({ code: 'ERR', error: { message: containing('together') } })
  expect(call.files).toHaveLength(2)
})

test('a file that cannot be stored is an error of the handler', async () => {
  const onFile = () => Promise.reject(new Error('the disk is full'))
  const { code, error } = await host.run(makeCall('local__makes_files', { sizes: [1] }, { onFile }))
  expect({ code, message: error?.message }).toEqual({
    code: 'ERR',
    message: 'the file _file 0.bin cannot be stored: the disk is full',
  })
})

test.each([1.9, 2.2, 5])('a result of %s MB becomes a file; its reference and beginning travel', async (megabytes) => {
  const bytes = Math.round(megabytes * 1e6)
  const call = makeCall('local__big_result', { bytes })
  const { code, data } = await host.run(call)
  expect(code).toBe('OK')
  expect(data).toMatchObject({ file: { name: 'result.json' }, preview: matching(/^.{1000}$/) })
  expect(JSON.stringify(data).length).toBeLessThan(2_000)
  const [file] = call.files
  expect(JSON.parse(Buffer.from(file?.content ?? []).toString())).toEqual({ text: 'x'.repeat(bytes) })
})

test('a result of 256 KB travels as it is', async () => {
  const call = makeCall('local__big_result', { bytes: 256 * 1024 - 20 })
  const { data } = await host.run(call)
  expect(data).toEqual({ text: matching(/^x+$/) })
  expect(call.files).toEqual([])
})
