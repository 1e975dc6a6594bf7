import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../../src/db/open.ts'
import { type TestApp, type TestOptions, testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { command } from '../../process/real-server.ts'
import { tempFolder } from '../../temp-folder.ts'

/** Of one file of tests, after which they are removed. */
export function folders() {
  const root = tempFolder()
  return { root, folderNamed: (name: string) => mkdtempSync(join(root, `${name}-`)) }
}

export const libraryIn = (dataDir: string, more: TestOptions = {}): Promise<TestApp> =>
  testApp({ dataDir, db: openDb(join(dataDir, 'harrier.sqlite')), ...more })

/** A library of real files in `folder`: runs, a photo, one run in the trash. */
export async function filledLibrary(folder: string, runs = 3): Promise<TestApp> {
  const app = await libraryIn(folder)
  const ids: string[] = []
  for (let n = 0; n < runs; n += 1) ids.push(await app.run(fitRun({ startMs: START_MS + n * 1e8 }), `${n}.fit`))
  // as a photo is: nothing in it gets smaller
  const photo = new Uint8Array([...jpeg(1000), ...crypto.getRandomValues(new Uint8Array(60_000))])
  await app.upload(`/workouts/${ids[0]}/media`, [{ name: 'a.jpg', bytes: photo }])
  await app.call('DELETE', `/workouts/${ids.at(-1)}`)
  copyFileSync(import.meta.path, join(folder, 'jwt-secret'))
  return app
}

/** Runs a command on a library. */
export function on(dataDir: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return command(args, { DATA_DIR: dataDir, TMPDIR: process.env.TMPDIR ?? '/tmp', ...env })
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}
