import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dir, '../../src/web')
/** Of the whole page, for all classes: what colours of the system replace. */
const OF_ALL = 'theme.css'

/** Classes that a sheet says something of wherever they are: those that begin a selector of one element. */
function defined(css: string): Set<string> {
  const selectors = css
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/(?<=^|[{}])[^{}@;]+(?=\{)/g)
    // what is in brackets is for one place or lists equal ones
    .flatMap(([list]) => list.replace(/\((?:[^()]|\([^()]*\))*\)/g, '').split(','))
  const own = selectors.flatMap((selector) => {
    const [, name] = /^\s*\.([\w-]+)(?:[:.[][^\s>+~]*)*\s*$/.exec(selector) ?? []
    return name === undefined ? [] : [name]
  })
  return new Set(own)
}

test('a class is defined in one sheet, since sheets that came with another screen stay', () => {
  const sheets = [...new Bun.Glob('**/*.css').scanSync(WEB)].filter((path) => path !== OF_ALL)
  expect(sheets.length).toBeGreaterThan(3)
  const owners = new Map<string, string[]>()
  for (const sheet of sheets.toSorted()) {
    for (const name of defined(readFileSync(join(WEB, sheet), 'utf8')))
      owners.set(name, [...(owners.get(name) ?? []), sheet])
  }
  expect([...owners].filter(([, of]) => of.length > 1)).toEqual([])
})

test('a definition is told from a rule for one place', () => {
  const css =
    '/* .no */ .a, .b:hover { color: red } .c .d, .e > p { x: y } @media (x) { .f[open]::after { x: y } :is(.g) { x: y } }'
  expect([...defined(css)]).toEqual(['a', 'b', 'f'])
})
