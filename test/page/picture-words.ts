import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
/** Written with the pictures. */
export const NOTED = join(ROOT, 'docs/images/words.txt')
/** The views of which there are pictures, and what they are made of; dialogs are in none. */
const VIEWS = ['home.tsx', 'runs.tsx', 'training/training.tsx', '../run/run-page.tsx']
const IMPORTED = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g
/** Literals that begin as a sentence or a label does, and texts of several words between tags. */
const WORDS = /'([A-Z][^'\n]*)'|`([A-Z][^`]*)`|>\s*([A-Z][\w’…–·,. ]* [\w’…–·,. ]*)\s*[<{]/g

/** A hash of the words in the code of the views that are pictured, which does not depend on their order or file. */
export async function wordsOfPictures(): Promise<string> {
  const words = new Set<string>()
  const seen = new Set<string>()
  const open = VIEWS.map((view) => join(ROOT, 'src/web/screens', view))
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || !path.includes('/src/web/') || /dialog|\/web\/import\/|\.css$/.test(path)) continue
    seen.add(path)
    const code = (await Bun.file(path).text()).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [, ...found] of code.matchAll(WORDS)) words.add(found.find((one) => one !== undefined) ?? '')
    for (const [, now, late] of code.matchAll(IMPORTED)) open.push(join(dirname(path), now ?? late ?? ''))
  }
  const said = [...words].map((word) => word.replace(/\s+/g, ' ')).toSorted()
  return createHash('sha256').update(said.join('\n')).digest('hex').slice(0, 16)
}
