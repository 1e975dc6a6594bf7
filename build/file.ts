import { mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EMBEDDED_PREFIX, type EmbeddedModule } from './embedded.ts'
import type { Target } from './targets.ts'

const ROOT = join(import.meta.dir, '..')
const SOURCES = join(ROOT, 'src')

/**
 * Builds one executable with everything inside. Of the same sources, packages, Bun and file name it has the same bytes,
 * wherever it is built.
 * @param out its path, whose name is the target's
 * @throws AggregateError of the bundler, Error when the Bun of the target cannot be had
 */
export async function buildFile({ runtime }: Target, embedded: EmbeddedModule, out: string): Promise<void> {
  // source maps are written beside the file as well
  const draft = await mkdtemp(join(dirname(out), '.build-'))
  try {
    await Bun.build({
      // the first is what runs; the second is found as ./workers/analyze.ts
      entrypoints: [join(SOURCES, 'main.ts'), join(SOURCES, 'workers/analyze.ts')],
      root: SOURCES,
      target: 'bun',
      minify: true,
      bytecode: true,
      // stacks in the log name our own lines
      sourcemap: 'linked',
      // the file carries what its modules find beside them; nor does it say where it was built
      define: {
        'import.meta.dir': '"/harrier"',
        'import.meta.path': '"/harrier/harrier"',
        'import.meta.url': '"file:///harrier/harrier"',
      },
      compile: {
        target: runtime,
        outfile: join(draft, basename(out)),
        // the folder where somebody happens to call it has no say
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      plugins: [
        {
          name: 'embedded',
          setup: (build) => {
            const { text, files } = embedded
            build.onLoad({ filter: /[/\\]src[/\\]embedded\.ts$/ }, () => ({ contents: text, loader: 'js' }))
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
