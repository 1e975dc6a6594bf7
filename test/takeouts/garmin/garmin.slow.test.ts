// A Garmin export that is cut, as a whole and in each of its parts.
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../../app.ts'
import { garminTakeout } from '../../fixtures/garmin-takeout.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'

const PATH = '/workouts/import/archive'

test('cut at each 64th, or with a part of it cut, an export is refused or read as far as it is whole', async () => {
  const small = garminTakeout({ runs: 10, others: 6, seconds: 60 })
  const whole = new Uint8Array(buildZip(small.entries))
  await using app = await testApp()
  for (let part = 0; part < 64; part += 1) {
    const cut = whole.subarray(0, Math.floor((whole.length * part) / 64))
    expect((await app.upload(PATH, [{ name: 'a.zip', bytes: cut }])).status).toBe(400)
    const entries = small.entries.map((entry) => {
      const data = Buffer.from(entry.data ?? '')
      return { ...entry, data: data.subarray(0, Math.floor((data.length * part) / 64)) }
    })
    const { status, json } = await app.upload(PATH, [{ name: 'a.zip', bytes: new Uint8Array(buildZip(entries)) }])
    expect([200, 400]).toContain(status)
    if (status === 200) expect(json.totalProcessed).toBe(json.successful + json.skipped + json.updated + json.errors)
  }
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  expect(app.logged).toEqual([])
  expect((await app.upload(PATH, [{ name: 'a.zip', bytes: whole }])).json).toMatchObject({ errors: 1 })
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(10)
}, 300_000)
