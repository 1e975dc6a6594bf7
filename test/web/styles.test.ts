import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'

/** Where layouts change, as said in theme.css; in between they are fluid. */
const WIDTHS_PX = [480, 720, 1024, 1280]
/** Sheets for paper and for chosen colours name what others define. */
const FOR_OTHER_MEDIA = /^@media (print|\(forced-colors: active\))/

const ROOT = new URL('../../src/web/', import.meta.url).pathname
const sources = (pattern: string) =>
  [...new Glob(pattern).scanSync(ROOT)].map(async (path) => ({ path, text: await Bun.file(ROOT + path).text() }))
const sheets = await Promise.all(sources('**/*.css'))
const scripts = await Promise.all(sources('**/*.{ts,tsx,js}'))

describe('the style sheets', () => {
  test(`change layouts at ${WIDTHS_PX.join(', ')} px alone`, () => {
    const queries = [
      ...sheets.flatMap(({ path, text }) => [...text.matchAll(/@(?:media|container)[^{]*/g)].map(([at]) => [path, at])),
      ...scripts.flatMap(({ path, text }) =>
        [...text.matchAll(/'(\([^']*width[^']*\))'/g)].map(([, at]) => [path, at]),
      ),
    ]
    // whole pixels on either side: Bun's bundler takes `width < 480px` for at most 480 px
    const allowed = WIDTHS_PX.flatMap((width) => [`min-width: ${width}px`, `max-width: ${width - 1}px`])
    const others = queries.flatMap(([path, at = '']) =>
      (at.match(/[^()]*(?:width|height|inline|block)[^()]*/g) ?? [])
        .filter((asked) => !allowed.includes(asked.trim()))
        .map((asked) => `${path}: ${asked}`),
    )
    expect(queries.length).toBeGreaterThan(20)
    expect(others).toEqual([])
  })

  // a rule belongs to the class that it begins with; in its context it may adjust others
  test('define a class in one file', () => {
    const owners = new Map<string, Set<string>>()
    for (const { path, text } of sheets) {
      for (const selector of selectorsOf(text)) {
        const name = /\.[a-z][\w-]*/i.exec(selector)?.[0]
        if (name !== undefined) owners.set(name, (owners.get(name) ?? new Set()).add(path))
      }
    }
    const several = [...owners].filter(([, paths]) => paths.size > 1)
    expect(several.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
  })

  test('name no class that nothing has', () => {
    const names = new Set(
      sheets.flatMap(
        ({ text }) =>
          selectorsOf(text)
            .join(' ')
            .match(/(?<=\.)[a-z][\w-]*/gi) ?? [],
      ),
    )
    const all = scripts.map(({ text }) => text).join('\n')
    const words = new Set(all.match(/[\w-]+/g))
    // a name may be put together: in-${name}
    const starts = [...all.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, start = '']) => start)
    const isUsed = (name: string) => words.has(name) || starts.some((start) => name.startsWith(start))
    expect([...names].filter((name) => !isUsed(name) && !name.startsWith('u-'))).toEqual([])
  })
})

/** Each selector of each rule, without those for other media. */
function selectorsOf(sheet: string): string[] {
  const selectors: string[] = []
  const open: string[] = []
  for (const [, head = '', end] of sheet.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]*)([{};])/g)) {
    if (end === '}') open.pop()
    if (end !== '{') continue
    open.push(head.trim())
    if (!head.trim().startsWith('@') && !open.some((at) => FOR_OTHER_MEDIA.test(at))) {
      selectors.push(...head.trim().split(/,(?![^(]*\))/))
    }
  }
  return selectors
}
