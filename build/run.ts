// bun run build [names]: the service as one file for each system, in dist/; without names, for all of them.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedModule, originOf } from './embedded.ts'
import { buildFile } from './file.ts'
import { TARGETS } from './targets.ts'

const ROOT = join(import.meta.dir, '..')
const DIST = join(ROOT, 'dist')

const asked = process.argv.slice(2)
for (const name of asked) {
  if (TARGETS.some(({ file }) => file === name)) continue
  process.stderr.write(`Usage: bun run build [${TARGETS.map(({ file }) => file).join('] [')}]\n`)
  process.exit(2)
}
const page = await mkdtemp(join(tmpdir(), 'harrier-build-'))
try {
  await mkdir(DIST, { recursive: true })
  const embedded = await embeddedModule(join(page, 'page'), originOf(ROOT))
  for (const target of TARGETS) {
    if (asked.length > 0 && !asked.includes(target.file)) continue
    const out = join(DIST, target.file)
    try {
      await buildFile(target, embedded, out)
      const bytes = await Bun.file(out).bytes()
      const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
      console.log(`${hash}  ${target.file}  ${(bytes.length / 1e6).toFixed(0)} MB, tested: ${target.tested}`)
    } catch (error) {
      const words = error instanceof AggregateError ? error.errors.map(String).join('\n') : String(error)
      process.stderr.write(`${target.file} could not be built: ${words}\n`)
      process.exitCode = 1
    }
  }
} finally {
  await rm(page, { recursive: true, force: true })
}
