import { expect, test } from 'bun:test'
import { Glob } from 'bun'

const WEB = new URL('../../src/web/', import.meta.url).pathname
const read = (pattern: string) =>
  Promise.all(
    [...new Glob(pattern).scanSync(WEB)].map(async (path) => [path, await Bun.file(WEB + path).text()] as const),
  )

/** The selectors of the rules of a sheet. */
function selectorsOf(sheet: string): string[] {
  const rules = sheet.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)
  return [...rules].map(([, list = '']) => list.trim()).filter((list) => !list.startsWith('@'))
}

/** Classes that a selector is about without anything else. */
function aloneIn(selector: string): string[] {
  let plain = selector
  for (let depth = 0; depth < 4; depth += 1) plain = plain.replace(/\([^()]*\)/g, '')
  return plain.split(',').flatMap((one) => /^\.([\w-]+)$/.exec(one.trim())?.[1] ?? [])
}

// all sheets are one, so a name that two views give to different things would style both
test('a class alone is styled by one sheet, and every class of a sheet is used', async () => {
  const sheets = await read('**/*.css')
  // the theme has what holds of many, as in forced colours
  const own = sheets.filter(([path]) => path !== 'theme.css')
  const alone = own.flatMap(([path, sheet]) => {
    const names = selectorsOf(sheet).flatMap(aloneIn)
    return [...new Set(names)].map((name) => ({ name, path }))
  })
  expect(alone.length).toBeGreaterThan(200)
  const twice = [...Map.groupBy(alone, ({ name }) => name)].filter(([, of]) => of.length > 1)
  expect(twice.map(([name, of]) => [name, ...of.map(({ path }) => path)])).toEqual([])

  const code = (await read('**/*.{ts,tsx,html}')).map(([, text]) => text).join('\n')
  const used = new Set(code.match(/[\w-]+/g))
  const classes = sheets.flatMap(([, sheet]) =>
    selectorsOf(sheet).flatMap((one) => [...one.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name)),
  )
  // a class may be put together, as `gap-${size}`; that of uPlot is its own
  const isUsed = (name: string) => used.has(name) || used.has(name.replace(/[^-]+$/, '')) || name.startsWith('u-')
  expect([...new Set(classes)].filter((name) => !isUsed(name))).toEqual([])
})
