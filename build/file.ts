import { mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EMBEDDED_PREFIX, type EmbeddedModule } from './embedded.ts'
import type { Target } from './targets.ts'

const ROOT = join(import.meta.dir, '..')
const SOURCES = join(ROOT, 'src')

/**
 * Builds one executable that contains everything. The same sources, packages, Bun and file name give the same bytes on
 * every machine.
 * @param out path of the executable, with the file name of the target
 * @throws AggregateError of the bundler; Error when the Bun of the target cannot be downloaded
 */
export async function buildFile({ runtime }: Target, embedded: EmbeddedModule, out: string): Promise<void> {
  // a folder of its own, since source maps are written beside the file
  const draft = await mkdtemp(join(dirname(out), '.build-'))
  try {
    await Bun.build({
      // the first is started; the second is the Worker, opened as ./workers/thread.ts
      entrypoints: [join(SOURCES, 'main.ts'), join(SOURCES, 'workers/thread.ts')],
      root: SOURCES,
      target: 'bun',
      minify: true,
      bytecode: true,
      // so that stack traces in the log name lines of the sources
      sourcemap: 'linked',
      // constant, since files beside the modules are embedded, and paths of the build machine must not be
      define: {
        'import.meta.dir': '"/harrier"',
        'import.meta.path': '"/harrier/harrier"',
        'import.meta.url': '"file:///harrier/harrier"',
      },
      compile: {
        target: runtime,
        outfile: join(draft, basename(out)),
        // files in the current folder must not change how it runs
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      plugins: [
        {
          name: 'embedded',
          setup: (build) => {
            const { text, files } = embedded
            build.onLoad({ filter: /[/\\]src[/\\]base[/\\]embedded\.ts$/ }, () => ({ contents: text, loader: 'js' }))
            build.onResolve({ filter: new RegExp(`^${EMBEDDED_PREFIX}`) }, ({ path }) => ({
              path,
              namespace: 'embedded',
            }))
            build.onLoad({ filter: /./, namespace: 'embedded' }, async ({ path }) => ({
              contents: await Bun.file(files[path]!).bytes(),
              loader: 'file',
            }))
          },
        },
      ],
    })
    await rename(join(draft, basename(out)), out)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
