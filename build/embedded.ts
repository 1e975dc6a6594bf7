import { join } from 'node:path'
import { buildPage, pageFiles } from '../src/page/build.ts'

/** The commit that the file is built from; both null without a repository. */
export interface Origin {
  readonly commit: string | null
  /** Time of the commit, ISO 8601. */
  readonly date: string | null
}

/** Files of the API page. */
const API_PAGE = ['swagger-ui-bundle.js', 'swagger-ui.css'] as const
const API_PAGE_FOLDER = join(import.meta.dir, '../src/http/swagger-ui')

/** The module that replaces `src/base/embedded.ts` in the single file. */
export interface EmbeddedModule {
  readonly text: string
  /** Paths of its imports by specifier; the text itself contains no path of the build machine. */
  readonly files: Readonly<Record<string, string>>
}

/** Prefix of the specifiers of the module's imports. */
export const EMBEDDED_PREFIX = 'embedded:'

/**
 * Builds the page and writes the module.
 * @param folder is created for the page; it must exist until the file is built
 */
export async function embeddedModule(folder: string, { commit, date }: Origin): Promise<EmbeddedModule> {
  await buildPage(folder)
  const files: Record<string, string> = {}
  const imports: string[] = []
  const imported = (paths: Readonly<Record<string, string>>) => {
    const fields = Object.keys(paths)
      .toSorted()
      .map((name) => {
        const variable = `file${imports.length}`
        const specifier = EMBEDDED_PREFIX + name
        files[specifier] = paths[name]!
        imports.push(`import ${variable} from ${JSON.stringify(specifier)} with { type: 'file' }`)
        return `${JSON.stringify(name)}: ${variable}`
      })
    return `{ ${fields.join(', ')} }`
  }
  const page = imported(await pageFiles(folder))
  const apiPage = imported(Object.fromEntries(API_PAGE.map((name) => [name, join(API_PAGE_FOLDER, name)])))
  const text = `${imports.join('\n')}
export const embedded = {
  page: ${page},
  apiPage: ${apiPage},
  worker: './workers/thread.ts',
  commit: ${JSON.stringify(commit)},
  date: ${JSON.stringify(date)},
}
`
  return { text, files }
}

/** @param root of the repository. A clone with uncommitted changes is marked in the commit's name. */
export function originOf(root: string): Origin {
  const git = (...args: string[]) => {
    const { exitCode, stdout } = Bun.spawnSync(['git', ...args], { cwd: root, stderr: 'ignore' })
    return exitCode === 0 ? stdout.toString().trim() : null
  }
  const commit = git('rev-parse', 'HEAD')
  if (commit === null) return { commit: null, date: null }
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  const time = Number(git('log', '-1', '--format=%ct'))
  return { commit: isChanged ? `${commit}-changed` : commit, date: new Date(time * 1000).toISOString() }
}
