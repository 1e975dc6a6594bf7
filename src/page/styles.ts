import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'

/** The part of the bundler's metafile that styles need. */
interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { path: string; kind: string }[] }>>
  readonly outputs: Readonly<Record<string, { readonly entryPoint?: string }>>
}

/**
 * Distributes the styles of a build: the bundler would put the styles of parts that are loaded later into the first
 * stylesheet as well, which would make the first load larger.
 * @param metafile description of the build by the bundler
 * @param draft a new folder that gets one file of imports per stylesheet, to be bundled
 * @param entry the page's first module
 * @returns paths of those files: `main.css`, and `part-NAME.css` for each part with styles of its own
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

/** Styles of a module and of all its imports, in the bundler's order. */
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
