import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Glob } from 'bun'
import { longOnes, type SourceFile, structureViolations, violations } from './architecture.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

const SRC = new URL('../src/', import.meta.url).pathname

describe('who may import whom', () => {
  test('every file of the source keeps to its place', async () => {
    const files: SourceFile[] = []
    for await (const path of new Glob('**/*.{ts,tsx}').scan(SRC)) {
      files.push({ path, source: await Bun.file(SRC + path).text() })
    }
    expect(files.length).toBeGreaterThan(40)
    expect([...files.flatMap(violations), ...structureViolations(files)].toSorted()).toEqual([])
    for (const line of longOnes(files)) console.info(line)
  })

  test.each([
    ['the engine imports only itself', 'engine/geo.ts', `import { x } from '../shoes/queries.ts'`],
    ['the engine imports no package', 'engine/geo.ts', `import { x } from 'fflate'`],
    ['the engine has no clock', 'engine/geo.ts', `export const a = () => Date.now()`],
    ['the engine is the same on every machine', 'engine/geo.ts', `export const a = Math.hypot(3, 4)`],
    ['a format knows no database, its types neither', 'formats/gpx.ts', `import type { Db } from '../db/open.ts'`],
    ['the library knows no feature', 'library/add-run.ts', `import { x } from '../settings/queries.ts'`],
    ['the library uses no package of HTTP', 'library/add-run.ts', `import { x } from '@fastify/busboy'`],
    ['a feature knows none after it', 'shoes/queries.ts', `import { x } from '../workouts/queries.ts'`],
    ['a feature uses the doors of others', 'archive/restore.ts', `import { x } from '../workouts/crop.ts'`],
    ['a feature has types of events alone', 'shoes/edit.ts', `import { createEvents } from '../events/emitter.ts'`],
    ['routes are for app.ts', 'stats/weekly.ts', `import { x } from './routes.ts'`],
    ['nothing imports main.ts', 'app.ts', `import './main.ts'`],
    ['a file beside the folders has types of features', 'secret.ts', `import { x } from './workouts/store.ts'`],
    ['every folder is planned', 'helpers/text.ts', `export const a = 1`],
    ['the page imports no code but the engine', 'web/page.ts', `import { x } from '../library/numbers.ts'`],
    ['SQLite belongs to db', 'lock.ts', `import { Database } from 'bun:sqlite'`],
    ['SQL does not go through drizzle', 'stats/months.ts', 'db.all<Month>(sql`SELECT 1`)'],
    ["drizzle's own members are not read", 'library/laps.ts', `const { client } = tx.session`],
    ['elysia belongs to routes, also when it is loaded late', 'shoes/queries.ts', `await import('elysia')`],
    ['config.ts reads the environment', 'log.ts', `const level = process.env.LOG_LEVEL`],
    ['the clients fetch', 'workouts/import.ts', `await globalThis.fetch('https://x')`],
    ['serve.ts listens', 'app.ts', `app.listen(5001)`],
    ['programs handle signals', 'jobs.ts', `process.on('SIGTERM', () => {})`],
    ['a transaction does not await', 'shoes/edit.ts', `db.transaction((tx) => { f(tx, (await g())) })`],
    ['a file keeps no state', 'shoes/queries.ts', `let cached = null`],
    ['commit.ts writes documents', 'shoes/edit.ts', `tx.update(documents).set({ body })`],
    ['commit.ts writes photos', 'media/store.ts', `tx.delete(media).where(eq(media.id, id)).run()`],
    ['commit.ts writes samples', 'library/add-run.ts', `insertRow(tx, samples, row)`],
    ['commit.ts writes recordings', 'strava/import.ts', `client.run("UPDATE recording SET laps = NULL")`],
    ['derive.ts writes numbers', 'weather/queue.ts', `tx.update(workouts).set({ weather })`],
    ['derive.ts writes splits', 'workouts/cut.ts', `client.query('DELETE FROM workout_split WHERE idx = 1')`],
    ['derive.ts writes ground', 'library/ground-fill.ts', `import { writeGround } from './ground.ts'`],
    ['words of before stay away', 'library/undo.ts', `const capsule = 1`],
  ])('%s', (_, path, source) => {
    expect(violations({ path, source })).toHaveLength(1)
  })

  test.each([
    ['workouts/import.ts', `import { x } from '../settings/queries.ts'`],
    ['archive/write.ts', `import { x } from '../stats/best-efforts.ts'`],
    ['shoes/edit.ts', `import type { Event } from '../events/emitter.ts'`],
    ['formats/gzip.ts', `import { createGunzip } from 'node:zlib'`],
    ['shoes/routes.ts', `import { Elysia } from 'elysia'`],
    ['web/page.ts', `import type { Workout } from '../workouts/schemas.ts'`],
    ['shoes/edit.ts', `function a() {\n  let sum = 0\n  db.transaction((tx) => { write(tx) })\n}\nawait done()`],
    ['shoes/edit.ts', `// fetch() is not used here\nconst a = 'https://x'`],
    ['weather/client.ts', `await fetch(url)`],
  ])('%s may hold %j', (path, source) => {
    expect(violations({ path, source })).toEqual([])
  })

  test('files do not import each other in a circle, be it types', () => {
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
  })

  test('is broken when a table is written by drizzle and as SQL', () => {
    const schema = { path: 'db/schema.ts', source: `export const media = sqliteTable(\n  'media',` }
    const byDrizzle = { path: 'media/store.ts', source: 'tx.insert(media).values(row).run()' }
    const prepared = { path: 'media/caption.ts', source: 'updateRows(tx, media, changed)' }
    const asSql = { path: 'library/take.ts', source: "client.query('UPDATE media SET caption = ?')" }
    const broken = ['media is written both by drizzle and as SQL']
    expect(structureViolations([schema, byDrizzle, prepared])).toEqual([])
    expect(structureViolations([schema, asSql])).toEqual([])
    expect(structureViolations([schema, byDrizzle, asSql])).toEqual(broken)
    expect(structureViolations([schema, prepared, asSql])).toEqual(broken)
    const known = { path: 'db/schema-receipts.ts', source: `export const forgottenRuns = sqliteTable('forgotten',` }
    expect(structureViolations([known])).toEqual(['forgotten is not written both by drizzle and as SQL'])
  })
})
