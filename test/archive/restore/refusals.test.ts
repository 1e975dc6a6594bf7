import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { countOf } from '../../library/as-stored.ts'
import { archiveOf, restored, zipOf } from '../archives.ts'
import { counts, filesOf, manifest, shoe, workout } from './restoring.ts'

const FILES = { 'data/shoes.json': [shoe(1, 'A', 'B')], 'data/workouts.json': [workout(1)], 'data/settings.json': {} }
const listed = (more: object) => manifest({ dataFormat: { ...(manifest().dataFormat as object), ...more } })
/** Another name of the same length, so that every offset stays. */
const named = async (name: string) => {
  const written = 'x'.repeat(name.length)
  const zip = await zipOf({ ...FILES, 'manifest.json': manifest(), [written]: 'evil' })
  return new Uint8Array(Buffer.from(Buffer.from(zip).toString('latin1').replaceAll(written, name), 'latin1'))
}

function expectUntouched(app: TestApp): void {
  expect(['shoe', 'workout'].map((table) => countOf(app.deps, table))).toEqual([0, 0])
  expect(filesOf(app, 'tmp')).toEqual([])
}

describe('what is refused before anything is written', () => {
  const manifests: readonly (readonly [name: string, manifest: unknown])[] = [
    ['no manifest', undefined],
    ['a manifest that is no JSON', '{'],
    ['no version', manifest({ version: undefined })],
    ['another version', manifest({ version: '2.0.0' })],
    ['no dataFormat', manifest({ dataFormat: null })],
    ['no workouts', manifest({ dataFormat: { shoes: 'data/shoes.json' } })],
    ['a listed file that is missing', listed({ splits: 'data/splits.json' })],
    ['a listed path out of the archive', listed({ splits: '../../etc/passwd' })],
    ['a listed path that is no text', listed({ splits: 5 })],
  ]
  const archives: readonly (readonly [name: string, zip: () => Promise<Uint8Array>])[] = [
    ...manifests.map(([name, given]) => {
      return [name, () => zipOf(given === undefined ? FILES : { ...FILES, 'manifest.json': given })] as const
    }),
    ['a data file that declares too much', () => archiveOf({ 'data/workouts.json': `[${' '.repeat(40_000_000)}]` })],
    ...['../evil.json', '/tmp/evil', 'C:\\evil', 'a\\..\\..\\evil'].map((name) => {
      return [`an entry ${name}, which points out of it`, () => named(name)] as const
    }),
  ]
  test.each(archives)('400: %s', async (name, zip) => {
    await using app = await testApp()
    const { status, json } = await restored(app, await zip())
    expect({ status, json }).toEqual({ status: 400, json: expect.objectContaining({ error: expect.any(String) }) })
    expect(json.error).not.toContain(app.deps.config.dataDir)
    if (name.includes('points out')) expect(json.error).toContain('points out of it')
    expectUntouched(app)
  })

  test('400: no file, no ZIP, a cut ZIP, no multipart; 401 for strangers; 413', async () => {
    await using app = await testApp({ env: { MAX_ARCHIVE_BYTES: '100000' } })
    const path = '/workouts/import/export'
    const zip = await zipOf({ ...FILES, 'manifest.json': manifest() })
    const send = async (bytes: Uint8Array | string) => (await app.upload(path, [{ name: 'a', bytes }])).status
    for (const bytes of ['this is no archive', '', zip.subarray(0, zip.length - 30)])
      expect(await send(bytes)).toBe(400)
    expect((await app.upload(path, [])).status).toBe(400)
    expect((await app.call('POST', path, { json: {} })).status).toBe(400)
    expect((await app.call('POST', path, { token: null, body: new FormData() })).status).toBe(401)
    expect(await send(new Uint8Array(200_000))).toBe(413)
    expectUntouched(app)
    expect(await send(zip)).toBe(200)
  })
})

test.each([
  ['data/splits.json', '{"not":"an array"}'],
  ['data/time-series.json', '[{"workoutId"'],
  ['data/best-efforts.json', '<html>'],
  ['data/settings.json', 'null null'],
])('%s that is not JSON ends the restore with its name; what came before stays', async (path, text) => {
  await using app = await testApp()
  const { json } = await restored(app, await archiveOf({ 'data/shoes.json': [shoe(1, 'A', 'B')], [path]: text }))
  expect(json).toMatchObject({ success: false, statistics: { shoes: counts(1) } })
  expect(json.errors).toEqual([`${path} is not valid JSON`])
})
