import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { corpusDir } from '../test/corpus.ts'
import { syntheticExport } from '../test/synth.ts'
import { asked, startServer, tell } from './server.ts'
import { formOf } from './size.ts'

/** What backups cost: bytes and CPU, beside an archive of the same library. */
export async function bench(runs = 330): Promise<void> {
  if (corpusDir === null) return console.log('backup: skipped, CORPUS_DIR names no folder of watch files')
  const folder = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
  const server = await startServer()
  try {
    await server.login()
    const { bytes } = syntheticExport('--runs', String(runs))
    await asked(server, '/workouts/import/bulk', { method: 'POST', body: formOf(bytes) })
    await server.stop()
    const { dataDir } = server
    const target = mkdtempSync(join(folder, 'backups-'))
    const dataBytes = bytesBelow(dataDir)
    const database = ['', '-wal'].reduce((sum, end) => sum + Bun.file(join(dataDir, `harrier.sqlite${end}`)).size, 0)
    console.log(`backup: ${runs} runs, DATA_DIR ${mb(dataBytes)}, of it database ${mb(database)}`)
    const archive = join(folder, 'archive.zip')
    const archiveS = await cpuOf(dataDir, ['backup', archive])
    const cost = (s: number) => `${s.toFixed(2)} s of CPU, 1/${(archiveS / s).toFixed(0)} of the archive (budget 1/20)`
    tell('archive', `${mb(statSync(archive).size)}, ${archiveS.toFixed(2)} s of CPU`)
    const firstS = await cpuOf(dataDir, ['backup', target])
    const first = bytesBelow(target)
    tell('first backup', `${mb(first)}, ${(first / dataBytes).toFixed(2)} times DATA_DIR (budget 1.0), ${cost(firstS)}`)
    const secondS = await cpuOf(dataDir, ['backup', target])
    // of one day the latest is kept: what is not shared is the second's
    const second = bytesBelow(target) - bytesBelow(join(target, 'files'))
    const share = `${(second / database).toFixed(2)} times the database (budget 1.2)`
    tell('second without changes', `${mb(second)} more, ${share}, ${cost(secondS)}`)
    tell('verify', `${(await cpuOf(dataDir, ['verify', target])).toFixed(2)} s of CPU for both`)
    const restoreS = await cpuOf(dataDir, ['restore', target, join(folder, 'restored')])
    tell('restore', `${restoreS.toFixed(2)} s of CPU`)
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

async function cpuOf(dataDir: string, args: readonly string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../src/main.ts'), ...args], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
    ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' },
  })
  if ((await child.exited) !== 0) throw new Error(`${args.join(' ')} failed`)
  return Number(child.resourceUsage()?.cpuTime.total) / 1e6
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
