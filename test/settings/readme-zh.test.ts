import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(__dirname, '../..')
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8')

/** Every block of commands, without the remarks behind and between them. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks.map((block) =>
    block
      .split('\n')
      .map((line) => line.replace(/(^|\s+)# .*$/, '').trimEnd())
      .filter(Boolean)
      .join('\n'),
  )
}

const linksOf = (text: string) => [...text.matchAll(/\]\((?!http|README)([^)]+)\)/g)].map(([, to]) => to).sort()
const settingsOf = (text: string) =>
  [...text.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name, is]) => [name, is])
const titlesOf = (text: string) => text.match(/^## /gm)?.length

describe('README.zh-CN.md', () => {
  const [english, chinese] = [read('README.md'), read('README.zh-CN.md')]

  it('has the commands of README.md, block by block', () => {
    expect(commandsOf(chinese)).toEqual(commandsOf(english))
  })

  it('has its sections, links and settings', () => {
    expect(titlesOf(chinese)).toBe(titlesOf(english))
    expect(linksOf(chinese)).toEqual(linksOf(english))
    expect(settingsOf(chinese)).toEqual(settingsOf(english))
  })

  it('is linked from README.md and links back', () => {
    expect(english).toContain('(README.zh-CN.md)')
    expect(chinese).toContain('(README.md)')
  })
})
