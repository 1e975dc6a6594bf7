// Libraries of schema 24 and before: their rows become documents, what undoing needs becomes former documents, and nothing is lost on the way.
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeOldCopy } from '../../src/db/copy.ts'
import { migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/open.ts'
import { wayToMount } from '../archive/disk-full-server.ts'
import { LIBRARIES, unpacked } from '../library/net/library.ts'
import { tempFolder } from '../temp-folder.ts'
import { emptyLibrary, insert, keepCopy, leave, recording, repair, run, samples } from './before.ts'

const folder = tempFolder()

interface Document {
  readonly seq: number
  readonly revision: number
  // biome-ignore lint/suspicious/noExplicitAny: documents are compared as they are stored
  readonly body: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly asked: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly gone: any
}

interface Former {
  readonly kind: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly body: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly asked: any
  readonly revision: number | null
  readonly until: number
}

const parsed = (json: unknown) => (json === null ? null : JSON.parse(String(json)))

function documentOf(client: Database, id: string): Document {
  const row = client.query<Record<string, unknown>, [string]>('SELECT * FROM document WHERE id = ?').get(id)!
  return { ...row, body: parsed(row.body), asked: parsed(row.asked), gone: parsed(row.gone) } as Document
}

const PHOTO = {
  ...{ id: 'm', workout_id: 'a', filename: 'm.jpg', mime_type: 'image/jpeg', file_size_bytes: 1, created_at: 1 },
  caption: null,
}

/** What an item keeps, in order. */
function formersOf(client: Database, receiptId: string, seq = 0): Former[] {
  const rows = client.query<Record<string, unknown>, [string, number]>(
    `SELECT kind, document_id AS id, body, asked, revision, until FROM former WHERE receipt_id = ? AND item_seq = ? ORDER BY seq`,
  )
  return rows.all(receiptId, seq).map((row) => ({ ...row, body: parsed(row.body), asked: parsed(row.asked) }) as Former)
}

const all = (client: Database, sql: string, ...given: string[]) => client.query(sql).all(...given)

function moved(fill: (client: Database) => void): Database {
  const client = emptyLibrary()
  fill(client)
  migrate(client)
  expect(client.query('PRAGMA foreign_key_check').all()).toEqual([])
  return client
}

describe('the document of a run', () => {
  test('without anything special names its recording alone', () => {
    const client = moved((before) => {
      insert(before, 'workout', run('a'))
      insert(before, 'recording', recording('r', 'a'))
      insert(before, 'samples', samples('r'))
    })
    expect(documentOf(client, 'a')).toEqual({
      ...{ id: 'a', seq: 0, revision: 0, gone: null, asked: { zones: null, splitUnitM: 1000, elevation: null } },
      body: { track: { recordings: ['r'], repairs: [] }, routeId: 'route of a', createdAt: Date.UTC(2025, 5, 1, 8) },
    } as never)
    expect(all(client, 'SELECT * FROM naming')).toEqual([{ run_id: 'a', recording_id: 'r', place: 0, live: 1 }])
    expect(all(client, 'SELECT engine_version AS v FROM samples')).toEqual([{ v: 3 }])
  })

  test('says what the runner said from what only the row says, and leaves out what recordings say', () => {
    const client = moved((before) => {
      insert(before, 'shoe', { id: 's', brand: 'b', model: 'm', created_at: 1, updated_at: 1 })
      const words = {
        name: 'Said',
        notes: 'of the row',
        run_type: null,
        source: 'told',
        device: null,
        rpe: 3,
        shoe_id: 's',
      }
      insert(before, 'workout', run('a', { ...words, runner_set: '["name","runType","shoeId"]', left_out: 1 }))
      insert(
        before,
        'recording',
        recording('r', 'a', { words: '{"name":"Told","source":"told","rpe":3,"device":"watch"}' }),
      )
      insert(before, 'effort_word', { workout_id: 'a', distance_index: 3, is_record: 0 })
      insert(before, 'training_choice', {
        workout_id: 'a',
        load_source: 'rpe',
        load_manual: null,
        exclude_from_estimates: 1,
      })
      insert(before, 'workout', run('b', { shoe_id: 's' }))
      insert(before, 'recording', recording('q', 'b'))
    })
    const { words, carried, choices, shoeId } = documentOf(client, 'a').body
    expect(words).toEqual({ name: 'Said', runType: null, shoeId: 's' })
    expect(carried.words).toEqual({ notes: 'of the row', device: null })
    const load = { loadSource: 'rpe', loadManual: null, excludeFromEstimates: true }
    expect([choices, shoeId]).toEqual([{ efforts: { 3: false }, load, leftOut: true }, undefined])
    expect(documentOf(client, 'b').body.shoeId).toBe('s')
  })

  test('carries numbers and place that no recording without samples gives, as before the runner changed them', () => {
    const numbers = { durationS: 1800, distanceM: 5000, avgPaceS: 360, calories: 300, maxPowerWatts: 400 }
    const client = moved((before) => {
      const place = { time_zone: 'Europe/Berlin', utc_offset_minutes: 120 }
      insert(before, 'workout', run('a', { ...place, calories: 310, distance_m: 5100, max_power_watts: 400 }))
      const totals = '{"durationS":1800,"distanceM":5000,"calories":300}'
      insert(before, 'recording', recording('r', 'a', { kind: 'manual', totals }))
      const before2 = { timeZone: null, utcOffsetMinutes: 60, numbers }
      const entered = { kind: 'numbers', offsetMs: 0, values: { distanceM: 5100, calories: 310 }, before: before2 }
      insert(before, 'repair', repair('n', 'a', entered))
    })
    expect(documentOf(client, 'a').body.carried).toEqual({
      numbers: { maxPowerWatts: 400 },
      place: { timeZone: null, utcOffsetMinutes: 60 },
    })
  })

  test('keeps repairs, those undone as well, and pins the recording that they are on', () => {
    const client = moved((before) => {
      insert(before, 'workout', run('a'))
      insert(before, 'recording', recording('r', 'a', { position: 1, channels: '["position","heartRate"]' }))
      insert(before, 'recording', recording('q', 'a', { seq: 1, channels: '["position"]' }))
      insert(before, 'samples', samples('r'), samples('q'))
      const crop = { kind: 'crop', fromMs: 0, toMs: 9, climbLimit: null, caloriesKcal: null }
      insert(before, 'repair', repair('x', 'a', { ...crop, zonesBefore: [[1, 2]] }, { undone_at: 77 }))
      insert(before, 'repair', repair('y', 'a', crop, { seq: 1 }))
    })
    const { track } = documentOf(client, 'a').body
    expect(track.primary).toBe('q')
    expect(
      track.repairs.map(({ id, undoneAt, zonesBefore }: Record<string, unknown>) => [id, undoneAt, zonesBefore]),
    ).toEqual([
      ['x', 77, [[1, 2]]],
      ['y', undefined, null],
    ])
    expect(track.repairs[1]).not.toHaveProperty('before')
  })

  test('of a part of a split run says which it is; the first part does not', () => {
    const split = (fromMs: number, toMs: number) => ({ kind: 'split', fromMs, toMs, climb: null, caloriesKcal: null })
    const client = moved((before) => {
      insert(before, 'workout', run('a', { name: 'Long' }), run('b', { name: 'Long (2)' }))
      const start = Number(recording('r', 'a').started_at)
      insert(before, 'recording', recording('r', 'a', { file_sha256: 'f', file_session: 0 }))
      const part = { part_from_ms: start + 900, part_to_ms: start + 1800 }
      insert(before, 'recording', recording('q', 'b', { file_sha256: 'f', file_session: 0, ...part }))
      insert(before, 'samples', samples('r'), samples('q'))
      insert(before, 'repair', repair('x', 'a', split(0, 900)))
      insert(before, 'repair', repair('y', 'b', split(900, 1800)))
    })
    expect(documentOf(client, 'a').body.track.repairs[0]).not.toHaveProperty('number')
    expect(documentOf(client, 'b').body.track.repairs[0]).toMatchObject({ kind: 'split', fromMs: 900, number: 2 })
    expect(documentOf(client, 'b').body.carried.words).toEqual({ name: 'Long (2)' })
  })

  test('of a joined run names the joined recording first, pinned, and says what of a split file it counts', () => {
    const client = moved((before) => {
      insert(before, 'workout', run('a'), run('b'))
      const start = Number(recording('r', 'a').started_at)
      const file = { file_sha256: 'f', file_session: 0 }
      const part = (from: number, to: number) => ({ ...file, part_from_ms: start + from, part_to_ms: start + to })
      insert(before, 'recording', recording('j', 'a', { origin: 'joined' }))
      insert(before, 'recording', recording('r', 'a', { seq: 1, position: 1, ...file }))
      insert(before, 'recording', recording('q', 'a', { seq: 2, position: 2, ...part(600, 1200) }))
      insert(before, 'recording', recording('p', 'b', part(1200, 1800)))
      insert(before, 'samples', samples('j'), samples('r'), samples('q'), samples('p'))
      insert(before, 'repair', repair('x', 'a', { kind: 'join', caloriesKcal: 5 }))
    })
    expect(documentOf(client, 'a').body.track).toMatchObject({
      recordings: ['j', 'r', 'q'],
      primary: 'j',
      repairs: [
        {
          kind: 'join',
          counted: [
            { recordingId: 'r', fromMs: 0, toMs: 600 },
            { recordingId: 'q', fromMs: 600, toMs: 1200 },
          ],
        },
      ],
    })
  })

  test('keeps efforts of archives and ids and times of computed ones; those that a crop replaced return with it', () => {
    const effort = { distance_index: 2, time_ms: 240_000, calculated_at: 5 }
    const stashed = { id: 'old', isArchived: true, distanceIndex: 4, timeMs: 1, calculatedAt: 2 }
    const client = moved((before) => {
      insert(before, 'workout', run('a'), run('b'))
      insert(before, 'recording', recording('r', 'a', { kind: 'archive' }), recording('q', 'b'))
      insert(before, 'samples', samples('r'), samples('q'))
      insert(before, 'archived_best_effort', { id: 'faster', workout_id: 'a', ...effort })
      insert(before, 'workout_best_effort', { workout_id: 'a', ...effort, start_ms: 0, id: 'own' })
      const crop = {
        kind: 'crop',
        fromMs: 0,
        toMs: 9,
        climbLimit: null,
        caloriesKcal: null,
        before: { efforts: [stashed] },
      }
      insert(before, 'repair', repair('x', 'b', crop))
    })
    const { body, asked } = documentOf(client, 'a')
    expect(body.carried).toMatchObject({
      efforts: [{ id: 'faster', distanceIndex: 2, timeMs: 240_000, calculatedAt: 5 }],
      effortIds: { 2: 'own' },
    })
    expect(asked.effortTimes).toEqual({ 2: 5 })
    const { isArchived: _, ...stated } = stashed
    expect(documentOf(client, 'b').body.carried.efforts).toEqual([stated])
  })

  test('leaves stated splits with the recording of the archive, and of computed ones the ids', () => {
    const split = { idx: 0, distance_m: 1000, duration_s: 300, pace_s: 300 }
    const client = moved((before) => {
      insert(before, 'workout', run('a', { splits_count: 1 }), run('b', { splits_count: 1, ours: '["splits"]' }))
      insert(before, 'recording', recording('r', 'a', { kind: 'archive' }), recording('q', 'b', { kind: 'archive' }))
      insert(
        before,
        'workout_split',
        { id: 'one', workout_id: 'a', ...split },
        { id: 'two', workout_id: 'b', ...split },
      )
    })
    const stated = (id: string) =>
      parsed((all(client, 'SELECT splits FROM recording WHERE id = ?', id)[0] as { splits: string }).splits)
    expect(stated('r')).toMatchObject([{ id: 'one', idx: 0, distanceM: 1000, startElapsedS: null }])
    expect([stated('q'), documentOf(client, 'b').asked.ours]).toEqual([['two'], ['splits']])
  })

  test('keeps weather that was looked up by run and hour, also that of before a shift; weather of the file stays there', () => {
    const start = Number(recording('r', 'a').started_at)
    const [stated, looked, former] = [
      '{"source":"fit"}',
      '{"source":"open_meteo","temperature":1}',
      '{"source":"open_meteo"}',
    ]
    const client = moved((before) => {
      insert(
        before,
        'workout',
        run('a', { weather: stated }),
        run('b', { weather: looked }),
        run('c', { weather: looked }),
      )
      insert(
        before,
        'recording',
        recording('r', 'a', { weather: stated }),
        recording('q', 'b', { weather: looked }),
        recording('p', 'c'),
      )
      const shift = { kind: 'shift', offsetMs: 7_200_000, timeZone: null, before: { weather: former } }
      insert(before, 'repair', repair('x', 'c', shift))
    })
    const hour = Math.floor(start / 3_600_000)
    expect(all(client, 'SELECT * FROM observation ORDER BY run_id, hour')).toEqual([
      { run_id: 'b', hour, weather: looked },
      { run_id: 'c', hour, weather: former },
      { run_id: 'c', hour: hour + 2, weather: looked },
    ])
    expect(all(client, 'SELECT weather FROM recording WHERE weather IS NOT NULL')).toEqual([{ weather: stated }])
  })
})

test('a change of zones that was interrupted can be undone', () => {
  const client = moved((before) => {
    insert(
      before,
      'workout',
      run('a', { effort_zones: '[[3,4]]', relative_effort: 9, ours: '["effort"]', inputs_revision: 2 }),
    )
    insert(before, 'workout', run('b', { effort_zones: '[[3,4]]', inputs_revision: 3 }))
    insert(before, 'recording', recording('r', 'a', { kind: 'archive' }), recording('q', 'b'))
    const scored = { inputs_revision: 2, new_zones: '[[3,4]]', relative_effort: 5, effort_zones: '[[1,2]]', ours: '[]' }
    insert(before, 'effort_before', { workout_id: 'a', ...scored }, { workout_id: 'b', ...scored })
  })
  const [row, ...others] = all(client, 'SELECT * FROM effort_before') as Record<string, unknown>[]
  expect(others).toEqual([])
  expect(row).toMatchObject({ workout_id: 'a', seq: 0, relative_effort: 5 })
  const { asked } = documentOf(client, 'a')
  const { ours: _, ...rest } = asked
  expect([parsed(row?.new_asked), parsed(row?.asked)]).toEqual([asked, { ...rest, zones: [[1, 2]] }])
})

describe('what undoing needs', () => {
  test('of edits is made of the run as it was right after each, in the order in which they were made', () => {
    const edit = (value: string | null) =>
      JSON.stringify({ what: 'words', values: { name: value, runnerSet: value === null ? [] : ['name'] } })
    const client = moved((before) => {
      insert(before, 'workout', run('a', { name: 'Third', runner_set: '["name"]', revision: 3 }))
      insert(before, 'recording', recording('r', 'a'))
      for (const [k, value] of [null, 'First', 'Second'].entries()) {
        const about = { workout_id: 'a', outcome: 'changed', before_revision: k, after_revision: k + 1 }
        leave(before, `e${k}`, 100 + k, { ...about, old_values: edit(value) })
      }
    })
    const kept = ['e0', 'e1', 'e2'].flatMap((id) => formersOf(client, id))
    expect(kept.map(({ body, revision, until }) => [body.words, revision, until])).toEqual([
      [undefined, 0, 1100],
      [{ name: 'First' }, 1, 1101],
      [{ name: 'Second' }, 2, 1102],
    ])
    expect(all(client, 'SELECT receipt_id AS id FROM former ORDER BY seq')).toEqual([
      { id: 'e0' },
      { id: 'e1' },
      { id: 'e2' },
    ])
    expect(
      all(client, `SELECT name FROM pragma_table_info('receipt_item') WHERE name IN ('capsule_id', 'old_values')`),
    ).toEqual([])
  })

  test('of repairs has the document and what it was asked with before, and after', () => {
    const client = moved((before) => {
      insert(before, 'workout', run('a', { revision: 1, effort_zones: '[[3,4]]' }))
      insert(before, 'recording', recording('r', 'a'))
      insert(before, 'samples', samples('r'))
      const crop = { kind: 'crop', fromMs: 0, toMs: 9, climbLimit: null, caloriesKcal: null }
      insert(before, 'repair', repair('x', 'a', crop))
      leave(before, 'c', 100, {
        workout_id: 'a',
        outcome: 'changed',
        capsule_id: 'k',
        before_revision: 0,
        after_revision: 1,
      })
      const tables = { workout: [run('a', { revision: 0, effort_zones: '[[1,2]]' })], repair: [] }
      keepCopy(before, { receiptId: 'c', madeAt: 100, scope: 'numbers', tables, positions: [['r', 0]] })
    })
    const [former] = formersOf(client, 'c')
    expect(former?.body.track).toEqual({ recordings: ['r'], repairs: [] })
    expect(former).toMatchObject({ asked: [{ zones: [[1, 2]] }, { zones: [[3, 4]] }], revision: 0 })
  })

  test('of a deleted run is in the trash with its recordings, samples, photos, words, choices and efforts', () => {
    const blob = new Uint8Array([9, 8, 7])
    const client = moved((before) => {
      leave(before, 'd', 500, { workout_id: 'a', outcome: 'deleted', capsule_id: 'k', before_revision: 2 })
      const tables = {
        workout: [run('a', { revision: 2, name: 'Gone', runner_set: '["name"]', engine_version: 2 })],
        recording: [recording('r', 'a', { file_sha256: 'f', file_session: 0, stored_as: 'r' })],
        samples: [samples('r', { rest: blob })],
        archived_best_effort: [{ id: 'e', workout_id: 'a', distance_index: 1, time_ms: 7, calculated_at: 8 }],
        effort_word: [{ workout_id: 'a', distance_index: 1, is_record: 0 }],
        media: [PHOTO],
      }
      keepCopy(before, { receiptId: 'd', madeAt: 500, tables })
      insert(before, 'deleted_run', { workout_id: 'a', file_sha256: 'f', file_session: 0, deleted_at: 500 })
    })
    const { body, revision, gone } = documentOf(client, 'a')
    expect([body, revision, gone.deletedAt, gone.receiptId, gone.name]).toEqual([null, 2, 500, 'd', 'Gone'])
    const [former] = formersOf(client, 'd')
    expect(former?.body).toMatchObject({
      track: { recordings: ['r'] },
      words: { name: 'Gone' },
      choices: { efforts: { 1: false } },
      carried: { efforts: [{ id: 'e', distanceIndex: 1, timeMs: 7, calculatedAt: 8 }] },
    })
    expect(all(client, 'SELECT run_id, live FROM naming')).toEqual([{ run_id: 'a', live: 0 }])
    expect(all(client, 'SELECT rest, engine_version FROM samples')).toEqual([{ rest: blob, engine_version: 2 }])
    expect(all(client, 'SELECT id, workout_id FROM media')).toEqual([{ id: 'm', workout_id: 'a' }])
    expect(all(client, 'SELECT workout_id FROM forgotten')).toEqual([{ workout_id: 'a' }])
    expect(all(client, 'SELECT id FROM workout')).toEqual([])
  })

  test('of a run in the trash whose receipt is no longer listed is kept as well', () => {
    const client = moved((before) => {
      const tables = { workout: [run('a')], recording: [recording('r', 'a')], samples: [samples('r')] }
      keepCopy(before, { receiptId: 'd', madeAt: 500, tables })
    })
    expect(documentOf(client, 'a').gone.deletedAt).toBe(500)
    expect(formersOf(client, 'd', -1)).toMatchObject([{ kind: 'run', until: 500 + 30 * 86_400_000 }])
  })

  test('of photos, captions, shoes, goals and settings are their rows', () => {
    const shoe = { id: 's', brand: 'b', model: 'm', initialMileageM: null, createdAt: 1, updatedAt: 1 }
    const goal = { id: 'g', metric: 'distance', period: 'week', target: 5 }
    const values = (what: string, members: object) => JSON.stringify({ what, ...members })
    const client = moved((before) => {
      insert(before, 'workout', run('a', { revision: 2 }))
      insert(before, 'recording', recording('r', 'a'))
      insert(before, 'media', { ...PHOTO, caption: 'New' })
      const ofRun = { workout_id: 'a', outcome: 'changed', before_revision: 1, after_revision: 2 }
      leave(before, 'caption', 1, { ...ofRun, old_values: values('words', { values: {}, captions: { m: 'Old' } }) })
      leave(before, 'photo', 2, { ...ofRun, outcome: 'deleted', capsule_id: 'k' })
      keepCopy(before, {
        receiptId: 'photo',
        madeAt: 2,
        scope: 'media',
        tables: { media: [{ ...PHOTO, caption: 'New', id: 'x' }] },
      })
      leave(before, 'added', 3, { ...ofRun, old_values: values('media', { mediaId: 'm' }) })
      leave(before, 'put', 4, { ...ofRun, old_values: values('shoe put', { shoeId: 's' }) })
      const others = [
        values('shoe gone', { shoe, workoutIds: ['a'], wasDefault: false }),
        values('shoe added', { shoeId: 't' }),
        values('goal', { goalId: 'g' }),
        values('goal gone', { goal, createdAtMs: 6 }),
        values('settings', {
          before: { zoneAge: 30 },
          after: { zoneAge: 31 },
          training: { before: null, after: { a: 1 } },
        }),
      ]
      leave(before, 'others', 5, ...others.map((old_values) => ({ outcome: 'changed', old_values })))
    })
    const touched = { kind: 'touch', id: 'a', revision: 1 }
    expect(formersOf(client, 'caption')).toMatchObject([
      touched,
      { kind: 'media', id: 'm', body: { caption: 'Old', workoutId: 'a' } },
    ])
    expect(formersOf(client, 'photo')).toMatchObject([touched, { kind: 'media', id: 'x', body: { filename: 'm.jpg' } }])
    expect(formersOf(client, 'added')).toMatchObject([touched, { kind: 'media', id: 'm', body: null }])
    expect(formersOf(client, 'put')).toMatchObject([{ kind: 'worn', body: { before: null, after: 's' } }])
    const other = [0, 1, 2, 3, 4].flatMap((seq) => formersOf(client, 'others', seq))
    expect(other).toMatchObject([
      { kind: 'shoe', id: 's', body: shoe },
      { kind: 'shoe', id: 't', body: null },
      { kind: 'goal', id: 'g', body: null },
      { kind: 'goal', id: 'g', body: { ...goal, createdAt: 6 } },
      {
        kind: 'settings',
        body: { before: { zoneAge: 30, training: null }, after: { zoneAge: 31, training: { a: 1 } } },
      },
    ])
    // the run gets its shoe back once that returns
    expect([documentOf(client, 'a').body.shoeId, all(client, 'SELECT shoe_id FROM workout')]).toEqual([
      's',
      [{ shoe_id: 's' }],
    ])
  })
})

/** The library of schema 8 of the fixture. */
function oldLibrary(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, unpacked(LIBRARIES['0008']).get('harrier.sqlite')!)
  return path
}

const versionOf = (path: string) => {
  const client = new Database(path)
  const { user_version: version } = client.query<{ user_version: number }, []>('PRAGMA user_version').get()!
  client.close()
  return version
}

describe('the move', () => {
  const copy = join(folder, 'harrier.before-0025.sqlite')

  test('leaves a copy of the library of before, for a week', () => {
    openDb(oldLibrary('harrier.sqlite')).$client.close()
    expect(versionOf(copy)).toBe(8)
    const nowMs = Date.now()
    utimesSync(copy, nowMs / 1000, nowMs / 1000)
    removeOldCopy(folder, nowMs + 7 * 86_400_000 - 5_000)
    expect(existsSync(copy)).toBe(true)
    removeOldCopy(folder, nowMs + 7 * 86_400_000 + 5_000)
    expect(existsSync(copy)).toBe(false)
    // a new database and one that was moved already get none
    openDb(join(folder, 'harrier.sqlite')).$client.close()
    openDb(join(folder, 'new.sqlite')).$client.close()
    expect(existsSync(copy)).toBe(false)
  })

  test('changes nothing when it fails, and is done once it can be', () => {
    const path = join(folder, 'failing.sqlite')
    const before = emptyLibrary(path)
    insert(before, 'workout', run('a'))
    insert(before, 'recording', recording('r', 'a', { words: 'no JSON' }))
    before.close()
    expect(() => openDb(path)).toThrow()
    expect(versionOf(path)).toBe(24)
    const mended = new Database(path)
    expect(mended.query('SELECT id, workout_id FROM recording').all()).toEqual([{ id: 'r', workout_id: 'a' }])
    mended.run(`UPDATE recording SET words = '{}'`)
    mended.close()
    const { $client: client } = openDb(path)
    expect(documentOf(client, 'a').body.track.recordings).toEqual(['r'])
    client.close()
  })

  test('that is killed at any moment begins again at the next start', async () => {
    const path = oldLibrary('killed.sqlite')
    const open = `(await import(${JSON.stringify(join(import.meta.dir, '../../src/db/open.ts'))})).openDb(${JSON.stringify(path)})`
    for (const ms of [150, 250, 350, 450, 550, 650, 800]) {
      const child = Bun.spawn([process.execPath, '-e', open], { stdout: 'ignore', stderr: 'ignore' })
      await Promise.race([Bun.sleep(ms), child.exited])
      child.kill('SIGKILL')
      await child.exited
      const version = versionOf(path)
      expect(version === SCHEMA_VERSION || (version >= 8 && version < SCHEMA_VERSION)).toBe(true)
    }
    const { $client: client } = openDb(path)
    expect(client.query('SELECT count(*) AS n FROM document').get()).toEqual({ n: 60 })
    expect(client.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    client.close()
  })

  const way = wayToMount()
  test.skipIf(way === null)('is refused on a disk without room for the copy, before anything is changed', () => {
    const path = oldLibrary('full.sqlite')
    const open = `(await import(${JSON.stringify(join(import.meta.dir, '../../src/db/open.ts'))})).openDb(process.argv[1])`
    const script =
      'mount -t tmpfs -o size=2m tmpfs "$0" && cp "$1" "$0/harrier.sqlite" && "$2" -e "$3" "$0/harrier.sqlite"; head -c 64 "$0/harrier.sqlite" | tail -c 4 | od -An -tu1; ls "$0"'
    const disk = mkdtempSync(join(tmpdir(), 'harrier-move-disk-'))
    const { stdout, stderr } = Bun.spawnSync([...way!, 'sh', '-c', script, disk, path, process.execPath, open])
    rmSync(disk, { recursive: true })
    expect(stderr.toString()).toMatch(
      /is copied to .*harrier\.before-0025\.sqlite before it is changed, which needs \d+ MB more of free space; nothing was changed/,
    )
    expect(stdout.toString().trim().split(/\s+/)).toEqual(['0', '0', '0', '8', 'harrier.sqlite'])
  })
})
