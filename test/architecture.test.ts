import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { type SourceFile, structureViolations, violations } from './architecture.ts'

const SRC = new URL('../src/', import.meta.url).pathname

describe('who may import whom', () => {
  test('every file of the source keeps to its place', async () => {
    const files: SourceFile[] = []
    for await (const path of new Glob('**/*.{ts,tsx}').scan(SRC)) {
      files.push({ path, source: await Bun.file(SRC + path).text() })
    }
    expect(files.length).toBeGreaterThan(40)
    expect([...files.flatMap(violations), ...structureViolations(files)].toSorted()).toEqual([])
  })

  const bad: readonly (readonly [name: string, path: string, source: string])[] = [
    ['the engine imports a feature', 'engine/geo.ts', `import { x } from '../shoes/queries.ts'`],
    ['the engine imports a package', 'engine/geo.ts', `import { x } from 'fflate'`],
    ['the engine looks at the clock', 'engine/geo.ts', `export const a = () => Date.now()`],
    ['the engine waits', 'engine/geo.ts', `export const a = async () => 1`],
    ['the engine rolls dice', 'engine/geo.ts', `export const a = () => Math.random()`],
    ['the engine counts on a platform', 'engine/geo.ts', `export const a = Math.hypot(3, 4)`],
    ['a format imports a feature', 'formats/gpx.ts', `import { x } from '../library/store.ts'`],
    ['a format imports the database', 'formats/gpx.ts', `import type { Db } from '../db/open.ts'`],
    ['a worker opens the database', 'workers/analyze.ts', `import { openDb } from '../db/open.ts'`],
    ['http knows a feature', 'http/json.ts', `import { x } from '../auth/gate.ts'`],
    ['an earlier feature imports a later one', 'shoes/queries.ts', `import { x } from '../workouts/queries.ts'`],
    ['the library imports a feature', 'library/add-run.ts', `import { x } from '../settings/queries.ts'`],
    ['the library speaks HTTP', 'library/add-run.ts', `import { x } from '../http/json.ts'`],
    ['the library uses a package of HTTP', 'library/add-run.ts', `import { x } from '@fastify/busboy'`],
    ['a worker imports the library', 'workers/analyze.ts', `import { x } from '../library/store.ts'`],
    ['a feature climbs into another', 'archive/restore.ts', `import { x } from '../workouts/crop.ts'`],
    ['strava imports archive', 'strava/import.ts', `import { x } from '../archive/queries.ts'`],
    ['a statistic makes routes of its own', 'stats/weekly.ts', `import { Elysia } from 'elysia'`],
    ['a file has more than 300 lines', 'engine/geo.ts', 'const a = 1\n'.repeat(301)],
    ['media imports stats', 'media/store.ts', `import { x } from '../stats/queries.ts'`],
    ['auth imports a feature', 'auth/login.ts', `import { x } from '../settings/queries.ts'`],
    ['a feature imports auth', 'shoes/queries.ts', `import { x } from '../auth/credentials.ts'`],
    ['a feature makes its own emitter', 'shoes/edit.ts', `import { createEvents } from '../events/emitter.ts'`],
    ['a feature imports routes', 'stats/weekly.ts', `import { x } from '../workouts/routes.ts'`],
    ['a file imports main', 'app.ts', `import '../src/main.ts'\nimport './main.ts'`],
    ['SQLite outside of db', 'lock.ts', `import { Database } from 'bun:sqlite'`],
    ['elysia as a value in a feature file', 'shoes/queries.ts', `import { t } from 'elysia'`],
    ['elysia loaded late', 'shoes/queries.ts', `const { t } = await import('elysia')`],
    ['the environment outside of config', 'log.ts', `const level = Bun.env.LOG_LEVEL`],
    ['the environment by its other name', 'log.ts', `const level = process.env.LOG_LEVEL`],
    ['fetch outside of the weather client', 'workouts/import.ts', `await fetch('https://x')`],
    ['a listener outside of main', 'app.ts', `app.listen(5001)`],
    ['a signal outside of main', 'jobs.ts', `process.on('SIGTERM', () => {})`],
    ['an async transaction', 'shoes/edit.ts', `db.transaction(async (tx) => { tx.run() })`],
    ['an await in a transaction', 'shoes/edit.ts', `db.transaction((tx) => { f(tx, (await g())) })`],
    ['fetch by its long name', 'workouts/import.ts', `await globalThis.fetch('https://x')`],
    ['the environment taken out of process', 'log.ts', `const { env } = process`],
    ['a file keeps state', 'shoes/queries.ts', `let cached = null`],
    ['a file beside the folders imports a feature', 'secret.ts', `import { x } from './workouts/store.ts'`],
    ['a folder that nobody planned', 'helpers/text.ts', `export const a = 1`],
    ['a format uses the database library', 'formats/gpx.ts', `import { eq } from 'drizzle-orm'`],
    ['the page imports code', 'web/page.ts', `import { x } from '../library/numbers.ts'`],
  ]
  for (const [name, path, source] of bad) {
    test(`is broken when ${name}`, () => {
      expect(violations({ path, source })).not.toEqual([])
    })
  }

  test('is broken when files import each other, be it types, or a folder holds too much', () => {
    const circle = [
      { path: 'engine/a.ts', source: `import type { B } from './b.ts'` },
      { path: 'engine/b.ts', source: `import { c } from './run/c.ts'` },
      { path: 'engine/run/c.ts', source: `import { a } from '../a.ts'` },
      { path: 'engine/d.ts', source: `import { a } from './a.ts'` },
    ]
    expect(structureViolations(circle)).toEqual([
      'these files import each other: engine/a.ts, engine/b.ts, engine/run/c.ts',
    ])
    expect(structureViolations(circle.slice(0, 2))).toEqual([])
    const many = Array.from({ length: 26 }, (_, i) => ({ path: `engine/run/${i}.ts`, source: '' }))
    expect(structureViolations(many)).toEqual(['src/engine/run/ holds 26 files'])
    expect(structureViolations(many.slice(1))).toEqual([])
  })

  const good: readonly (readonly [name: string, path: string, source: string])[] = [
    ['a later feature imports an earlier one', 'workouts/import.ts', `import { x } from '../settings/queries.ts'`],
    ['a feature imports the library', 'workouts/import.ts', `import { x } from '../library/add-run.ts'`],
    ['the page computes with the engine', 'web/page.ts', `import { paceS } from '../engine/units.ts'`],
    ['the library names what it is given', 'library/add-run.ts', `import type { Deps } from '../deps.ts'`],
    ['archive imports stats', 'archive/write.ts', `import { x } from '../stats/best-efforts.ts'`],
    ['a feature names the type of an event', 'shoes/edit.ts', `import type { Event } from '../events/emitter.ts'`],
    ['a format unpacks', 'formats/gzip.ts', `import { createGunzip } from 'node:zlib'`],
    ['a variable inside of a function', 'shoes/queries.ts', `function a() {\n  let sum = 0\n}`],
    ['the dependencies name types of features', 'deps.ts', `import type { A } from './weather/client.ts'`],
    ['a type of elysia', 'shoes/queries.ts', `import type { Static } from 'elysia'`],
    ['elysia in routes', 'shoes/routes.ts', `import { Elysia } from 'elysia'`],
    ['the page imports a type', 'web/page.ts', `import type { Workout } from '../workouts/schemas.ts'`],
    [
      'a synchronous transaction before an await',
      'shoes/edit.ts',
      `db.transaction((tx) => { tx.run() })\nawait done()`,
    ],
    ['a comment speaks of fetch', 'shoes/edit.ts', `// fetch() is not used here\nconst a = 'https://x'`],
    ['weather fetches', 'weather/client.ts', `await fetch(url)`],
  ]
  for (const [name, path, source] of good) {
    test(`is kept when ${name}`, () => {
      expect(violations({ path, source })).toEqual([])
    })
  }
})
