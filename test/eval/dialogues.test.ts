import { judge, readDialogues } from '../../eval/dialogue'
import { runDialogues } from '../../eval/run-dialogues'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

const dialogues = readDialogues()
const manageable = dialogues.filter(({ offline }) => offline !== false)

test('there are enough of them, in both languages, each with a name of its own', () => {
  expect(dialogues.length).toBeGreaterThanOrEqual(150)
  expect(new Set(dialogues.map(({ id }) => id)).size).toBe(dialogues.length)
  for (const lang of ['zh', 'en'] as const) {
    expect(dialogues.filter((dialogue) => dialogue.lang === lang).length).toBeGreaterThanOrEqual(60)
  }
})

test('what a turn did is judged by what it must and must not have done', () => {
  const effects = [{ did: 'created', kind: 'scheduled_message', id: 'a', summary: 'Reminder: tea' }] as const
  expect(judge({ say: '', must: [{ did: 'created', summary: 'TEA' }], must_not: [{ kind: 'task' }] }, effects)).toEqual(
    [],
  )
  expect(judge({ say: '', must: [{ did: 'changed' }] }, effects)).toEqual(['missing {"did":"changed"}'])
  expect(judge({ say: '', must_not: [{}] }, effects)).toEqual(['unwanted {}'])
})

describe('with the offline model', () => {
  let product: Product
  beforeAll(async () => {
    // What is promised is decided by the rows; nothing has to fall due.
    product = await buildProduct({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
  }, 120_000)
  afterAll(() => product.close())

  test('every dialogue does what it must and nothing that it must not', async () => {
    const verdicts = await runDialogues(product.parts, manageable)
    expect(
      verdicts.filter(({ faults }) => faults.length > 0).map(({ dialogue, faults }) => [dialogue.id, faults]),
    ).toEqual([])
  }, 600_000)
})
