import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'

/** What the bundler tells of the sources, as far as styles need it. */
interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { path: string; kind: string }[] }>>
  readonly outputs: Readonly<Record<string, { readonly entryPoint?: string }>>
}

/**
 * Draws up the stylesheets of a build: the bundler puts the styles of parts that are fetched later into the first one as
 * well, where they would make the first load larger.
 * @param metafile what the bundler wrote of the build
 * @param draft a folder that is made and filled with one file of imports for each stylesheet, to be bundled
 * @param entry what the page begins with
 * @returns paths of those files: `main.css`, and `part-NAME.css` for each part that has styles of its own
 */
export async function draftStyles(
  metafile: string,
  { sources, draft, entry }: { readonly sources: string; readonly draft: string; readonly entry: string },
): Promise<string[]> {
  const { inputs, outputs } = JSON.parse(await readFile(metafile, 'utf8')) as Metafile
  const first = stylesFrom(entry, inputs)
  const parts = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const sheets: (readonly [name: string, paths: readonly string[]])[] = [['main', first]]
  for (const part of new Set(parts)) {
    const own = stylesFrom(part, inputs).filter((path) => !first.includes(path))
    if (part !== entry && own.length > 0) sheets.push([`part-${basename(part, extname(part))}`, own])
  }
  return await Promise.all(
    sheets.map(async ([name, paths]) => {
      const sheet = join(draft, `${name}.css`)
      await writeFile(sheet, paths.map((path) => `@import ${JSON.stringify(join(sources, path))};\n`).join(''))
      return sheet
    }),
  )
}

/** Styles of a file and of all that comes with it, in the order in which the bundler would have them. */
function stylesFrom(entry: string, inputs: Metafile['inputs']): string[] {
  const seen = new Set<string>()
  const styles: string[] = []
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { path: next, kind } of inputs[path]?.imports ?? []) {
      if (kind === 'import-statement') visit(next)
    }
    if (path.endsWith('.css')) styles.push(path)
  }
  visit(entry)
  return styles
}
