import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { archiveOf, restored } from '../archives.ts'
import { counts, filesOf, id, workout } from './restoring.ts'

describe('rows that are not as they should be', () => {
  test('ten thousand orphans are one warning', async () => {
    await using app = await testApp()
    const orphans = Array.from({ length: 10_000 }, (_, n) => ({
      workoutId: id(n + 50),
      elapsedSeconds: n,
      heartRateBpm: 99,
    }))
    const splits = orphans.map(({ workoutId }) => ({ workoutId, idx: 0, distanceM: 1, durationS: 1 }))
    const zip = await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/time-series.json': orphans,
      'data/splits.json': splits,
    })
    const { json } = await restored(app, zip)
    expect(json).toMatchObject({ success: true, statistics: { timeSeries: counts(0, 10_000), workouts: counts(1) } })
    expect(json.warnings).toEqual([
      'Rows of splits whose workout is not in the archive, skipped: 10000',
      'Rows of timeSeries whose workout is not in the archive, skipped: 10000',
    ])
  })

  test('a bad workout is an error with its id, and never stops the others', async () => {
    await using app = await testApp()
    const zip = await archiveOf({
      'data/workouts.json': [
        workout(1, { startedAt: 'yesterday' }),
        workout(2, { durationS: null }),
        workout(3, { distanceM: '5 km' }),
        { name: 'no id' },
        null,
        workout(4, { rpe: 11, calories: 'many', runType: 'Jog', name: 'y'.repeat(300) }),
        workout(4),
        ...Array.from({ length: 40 }, (_, n) => workout(100 + n, { startedAt: null })),
      ],
    })
    const { json } = await restored(app, zip)
    expect(json.success).toBe(false)
    expect(json.statistics.workouts).toEqual(counts(1, 1, 45))
    const named = [1, 100, 101, 102, 103].map(id).join(', ')
    expect(json.errors).toEqual([
      `Workouts without a startedAt that is a timestamp: ${named} and 36 more`,
      `Workouts without a durationS in seconds: ${id(2)}`,
      `Workouts without a distanceM in metres: ${id(3)}`,
      'Workouts without an id (2 times)',
    ])
    expect(json.warnings).toEqual([
      `Invalid values of workouts, skipped: ${id(4)} calories, ${id(4)} rpe, ${id(4)} runType`,
    ])
    expect((await app.call('GET', `/workouts/${id(4)}`)).json).toMatchObject({ rpe: null, name: 'y'.repeat(200) })
  })

  test('splits of one index, or with an id that another has, do no harm', async () => {
    await using app = await testApp()
    const split = (workoutId: string, idx: number) => ({ id: id(1), workoutId, idx, distanceM: 1000, durationS: 300 })
    const zip = await archiveOf({
      'data/workouts.json': [workout(1), workout(2)],
      'data/splits.json': [split(id(1), 0), split(id(1), 0), split(id(1), 1), split(id(2), 0), { workoutId: id(2) }],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.splits).toEqual(counts(3, 1, 1))
    expect(json.errors).toEqual([`Splits without index, distance or duration: ${id(2)}`])
  })

  test('samples in any order, of several workouts in turn, out of range and falling back are read', async () => {
    await using app = await testApp()
    const rows = [2, 0, 1, 3].flatMap((t) =>
      [1, 2].map((n) => ({
        workoutId: id(n),
        elapsedSeconds: t,
        elapsedMs: t * 1000,
        lat: 47 + t / 1e4,
        lon: 8,
        heartRateBpm: 300 - t * 60,
      })),
    )
    const zip = await archiveOf({
      'data/workouts.json': [workout(1), workout(2)],
      'data/time-series.json': [...rows, { workoutId: id(1) }],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.timeSeries).toEqual(counts(8, 0, 1))
    const series = (await app.call('GET', `/workouts/${id(2)}/time-series`)).json.items
    expect(
      series.map((item: { elapsedSeconds: number; heartRateBpm: number }) => [item.elapsedSeconds, item.heartRateBpm]),
    ).toEqual([
      [1, 240],
      [2, 180],
      [3, 120],
    ])
    expect((await app.call('GET', `/workouts/${id(1)}`)).json.route.coordinates).toHaveLength(4)
  })

  test('media: a missing, a wrong and a damaged file are errors of their own', async () => {
    await using app = await testApp({ env: { MEDIA_MAX_FILE_BYTES: '500' } })
    const photo = (n: number, filename: string) => ({
      id: id(n),
      workoutId: id(1),
      filename,
      createdAt: '2024-01-01T00:00:00Z',
    })
    const at = (n: number, name: string) => `workouts/${id(1)}/media/${id(n)}/${name}`
    const zip = await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/media-metadata.json': [
        photo(1, 'good.jpg'),
        photo(2, 'missing.jpg'),
        photo(3, 'text.jpg'),
        photo(4, 'large.jpg'),
        { ...photo(5, 'no-id.jpg'), id: 5 },
      ],
      [at(1, 'good.jpg')]: jpeg(99),
      [at(3, 'text.jpg')]: 'words',
      [at(4, 'large.jpg')]: jpeg(501),
    })
    const { json } = await restored(app, zip)
    expect(json.statistics).toMatchObject({ workouts: counts(1), media: counts(1, 0, 4) })
    expect(json.errors).toEqual([
      'Media whose file is not in the archive: missing.jpg',
      'Media refused: The content is not an image of a supported type: text.jpg',
      'Media larger than 500 bytes: large.jpg',
      'Media without an id: no-id.jpg',
    ])
    expect(filesOf(app, 'files/media')).toEqual([id(1)])
    expect(filesOf(app, 'tmp')).toEqual([])
  })
})
