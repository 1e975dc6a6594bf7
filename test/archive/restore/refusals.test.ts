import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { restored, zipOf } from '../archives.ts'
import { filesOf, manifest, rowCounts, shoe, workout } from './restoring.ts'

describe('what is refused before anything is written', () => {
  const files = { 'data/shoes.json': [shoe(1, 'A', 'B')], 'data/workouts.json': [workout(1)], 'data/settings.json': {} }
  const refusals: readonly (readonly [name: string, entries: Readonly<Record<string, unknown>>])[] = [
    ['no manifest', files],
    ['a manifest that is no JSON', { ...files, 'manifest.json': '{' }],
    ['a manifest that is an array', { ...files, 'manifest.json': [] }],
    ['no version', { ...files, 'manifest.json': manifest({ version: undefined }) }],
    ['another version', { ...files, 'manifest.json': manifest({ version: '2.0.0' }) }],
    ['a version that is a number', { ...files, 'manifest.json': manifest({ version: 1 }) }],
    ['no dataFormat', { ...files, 'manifest.json': manifest({ dataFormat: null }) }],
    ['no workouts', { ...files, 'manifest.json': manifest({ dataFormat: { shoes: 'data/shoes.json' } }) }],
    ['no shoes', { ...files, 'manifest.json': manifest({ dataFormat: { workouts: 'data/workouts.json' } }) }],
    [
      'a listed file that is missing',
      {
        ...files,
        'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: 'data/splits.json' } }),
      },
    ],
    [
      'a listed path out of the archive',
      {
        ...files,
        'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: '../../etc/passwd' } }),
      },
    ],
    [
      'an absolute listed path',
      {
        ...files,
        'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: '/etc/passwd' } }),
      },
    ],
    [
      'a listed path that is no text',
      { ...files, 'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: 5 } }) },
    ],
  ]
  for (const [name, entries] of refusals) {
    test(`400: ${name}`, async () => {
      await using app = await testApp()
      const { status, json } = await restored(app, await zipOf(entries))
      expect({ status, json }).toEqual({ status: 400, json: { error: expect.any(String) } })
      expect(json.error).not.toContain(app.deps.config.dataDir)
      expect(rowCounts(app)).toMatchObject({ shoe: 0, workout: 0 })
      expect(filesOf(app, 'tmp')).toEqual([])
    })
  }

  test('400: no file, no ZIP, a cut ZIP, no multipart; 401 for strangers; 413', async () => {
    await using app = await testApp({ env: { MAX_ARCHIVE_BYTES: '100000' } })
    const zip = await zipOf({ ...files, 'manifest.json': manifest() })
    const send = async (bytes: Uint8Array | string) =>
      (await app.upload('/workouts/import/export', [{ name: 'a', bytes }])).status
    expect(await send('this is no archive')).toBe(400)
    expect(await send('')).toBe(400)
    expect(await send(zip.subarray(0, zip.length - 30))).toBe(400)
    expect((await app.upload('/workouts/import/export', [])).status).toBe(400)
    expect((await app.call('POST', '/workouts/import/export', { json: {} })).status).toBe(400)
    expect((await app.call('POST', '/workouts/import/export', { token: null, body: new FormData() })).status).toBe(401)
    expect(await send(new Uint8Array(200_000))).toBe(413)
    expect(await send(zip)).toBe(200)
    expect(filesOf(app, 'tmp')).toEqual([])
  })

  test('entries that point out of the archive are refused', async () => {
    for (const name of ['../evil.json', '/tmp/evil', 'workouts/../../evil', 'C:\\evil', 'a\\..\\..\\evil']) {
      await using app = await testApp()
      const zip = await zipOf({ ...files, 'manifest.json': manifest(), ['x'.repeat(name.length)]: 'evil' })
      const named = Buffer.from(zip)
      // the same length, so that every offset stays
      for (let at = named.indexOf('x'.repeat(name.length)); at !== -1; at = named.indexOf('x'.repeat(name.length))) {
        named.write(name, at, 'latin1')
      }
      const { status, json } = await restored(app, new Uint8Array(named))
      expect({ name, status, json }).toEqual({
        name,
        status: 400,
        json: { error: expect.stringContaining('points out of it') },
      })
      expect(rowCounts(app)).toMatchObject({ shoe: 0, workout: 0 })
    }
  })
})
