import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { archiveOf, exported, restored } from '../archives.ts'
import { counts, id, shoe, workout } from './restoring.ts'

describe('hostile archives', () => {
  test('a data file that declares more than is allowed is refused with 400', async () => {
    await using app = await testApp()
    const zip = await archiveOf({ 'data/workouts.json': `[${' '.repeat(40_000_000)}]` })
    expect(zip.length).toBeLessThan(100_000)
    const { status, json } = await restored(app, zip)
    expect({ status, json }).toEqual({ status: 400, json: { error: expect.any(String) } })
  })

  test('a data file that lies about its size ends the restore with an error naming it', async () => {
    await using app = await testApp()
    const zip = Buffer.from(
      await archiveOf({ 'data/splits.json': `[${' '.repeat(900_000)}]`, 'data/shoes.json': [shoe(1, 'A', 'B')] }),
    )
    // the unpacked size in the table of contents
    const central =
      zip.indexOf('data/splits.json', zip.lastIndexOf('PK\x01\x02')) === -1 ? zip.lastIndexOf('data/splits.json') : -1
    const at = (central === -1 ? zip.lastIndexOf('data/splits.json') : central) - 46
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    lie(zip, at, 1000)
    const { status, json } = await restored(app, new Uint8Array(zip))
    if (status === 400) return expect(json.error).toEqual(expect.any(String))
    expect(json.success).toBe(false)
    expect(json.errors[0]).toStartWith('data/splits.json cannot be unpacked')
  })

  test('a data file that is not JSON ends the restore with its name; what came before stays', async () => {
    for (const [path, text] of [
      ['data/splits.json', '{"not":"an array"}'],
      ['data/time-series.json', '[{"workoutId"'],
      ['data/best-efforts.json', '<html>'],
      ['data/settings.json', 'null null'],
    ] as const) {
      await using app = await testApp()
      const { status, json } = await restored(
        app,
        await archiveOf({ 'data/shoes.json': [shoe(1, 'A', 'B')], [path]: text }),
      )
      expect(status).toBe(200)
      expect(json).toMatchObject({ success: false, statistics: { shoes: counts(1) } })
      expect(json.errors).toEqual([`${path} is not valid JSON`])
    }
  })

  test('keys such as __proto__ and values of every wrong type do no harm', async () => {
    await using app = await testApp()
    const wrong: unknown[] = [null, [], {}, true, -1, 1e308, 'x', '', { __proto__: 1 }]
    const keys = [
      'route',
      'hrZoneSeconds',
      'weather',
      'rawGpxData',
      'rawFitData',
      'recording',
      'shoeId',
      'rawFileData',
      'rawFileName',
      'utcOffsetMinutes',
      'createdAt',
      'avgHeartRateBpm',
    ]
    const rows = wrong.flatMap((value, n) => keys.map((key, k) => workout(1 + n * 50 + k, { [key]: value })))
    const text = JSON.stringify(rows).replaceAll('"name":', '"__proto__":{"id":"x"},"name":')
    const zip = await archiveOf({
      'data/workouts.json': text,
      'data/routes.json': wrong.map((routeGeoJson, n) => ({
        id: routeGeoJson,
        workoutId: id(1 + n * 50),
        routeGeoJson,
      })),
      'data/time-series.json': wrong.map((value, n) => ({
        workoutId: id(1 + n * 50),
        elapsedSeconds: value,
        lat: value,
        lon: value,
      })),
      'data/media-metadata.json': wrong.map((value, n) => ({ id: value, workoutId: id(1 + n * 50), filename: value })),
      'data/best-efforts.json': wrong.map((value) => ({ id: value, workoutId: id(1), distance: value, timeS: value })),
    })
    const { status, json } = await restored(app, zip)
    expect(status).toBe(200)
    expect(json.statistics.workouts).toEqual(counts(rows.length))
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(rows.length)
    for (const row of rows) expect((await app.call('GET', `/workouts/${row.id}`)).status).toBe(200)
    expect((await exported(app)).length).toBeGreaterThan(1000)
  })
})

/** Writes another unpacked size into an entry's record of the table of contents, Zip64 or not. */
function lie(zip: Buffer, at: number, size: number): void {
  if (zip.readUInt32LE(at + 24) !== 0xffffffff) {
    zip.writeUInt32LE(size, at + 24)
    return
  }
  const extra = at + 46 + zip.readUInt16LE(at + 28)
  zip.writeBigUInt64LE(BigInt(size), extra + 4)
}
