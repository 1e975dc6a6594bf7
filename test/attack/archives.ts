import { testApp } from '../app.ts'
import { archiveOf, type Entries, entriesOf, exported, restored, zipOf } from '../archive/archives.ts'
import { tempoLibrary } from '../archive/restore/tempo-archive.ts'
import { png } from '../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import type { Attack } from './attack.ts'
import { expectDecent, expectQuiet, expectUsable } from './library.ts'
import { mutated, type Seed } from './mutate.ts'
import { mutatedJson } from './mutate-json.ts'
import { nastyText } from './nasty.ts'
import type { Random } from './random.ts'

/** Archives, own ones and Tempo's: restored into an empty library, which then has to answer and to be exported. */
export const archives: Attack = {
  name: 'archives',
  share: 0.25,
  casesAProcess: 100,
  prepare: async () => {
    const libraries = [await ownLibrary(), await tempoEntries()]
    return async ({ random, input }) => {
      const zip = await spoiled(random.of(libraries), random)
      await using app = await testApp()
      const answer = await input({ name: 'archive.zip', bytes: zip }, () => restored(app, zip))
      expectDecent('restore', answer)
      expectQuiet(app)
      const runs = await expectUsable(app, { isRestored: random.chance(0.3) })
      expectQuiet(app)
      return { inputs: 1, accepted: answer.status === 200 && runs > 0 ? 1 : 0 }
    }
  },
}

async function ownLibrary(): Promise<Entries> {
  await using app = await testApp()
  const { json: shoe } = await app.call('POST', '/shoes', { json: { brand: 'Road', model: 'One' } })
  await app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: shoe.id } })
  await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 40 } })
  const files: Seed[] = [
    { name: 'a.fit', bytes: fitRun({ seconds: 60 }) },
    { name: 'b.gpx', bytes: gpxRun({ seconds: 45, startMs: START_MS - 86_400_000, name: 'Lunch' }) },
  ]
  const ids: string[] = []
  for (const file of files) ids.push((await app.upload('/workouts/import', [file])).json.id)
  await app.call('POST', `/workouts/${ids[0]}/crop`, { json: { removeFromStartSeconds: 7.5 } })
  await app.upload(`/workouts/${ids[1]}/media`, [{ name: 'a.png', bytes: png() }])
  await app.call('PATCH', `/workouts/${ids[1]}`, { json: { notes: 'n', rpe: 7, runType: 'Race' } })
  return await entriesOf(app, await exported(app))
}

async function tempoEntries(): Promise<Entries> {
  await using app = await testApp()
  const library = tempoLibrary()
  // a twentieth of its samples: the others show nothing new
  library['data/time-series.json'] = (library['data/time-series.json'] as unknown[]).slice(0, 60)
  return await entriesOf(app, await archiveOf(library))
}

async function spoiled(entries: Entries, random: Random): Promise<Uint8Array> {
  const copy: Entries = new Map(entries)
  do {
    const [name, bytes] = random.of([...copy])
    if (random.chance(0.05)) copy.delete(name)
    else if (random.chance(0.04)) {
      copy.delete(name)
      copy.set(safeName(nastyText(random)), bytes)
    } else copy.set(name, spoiledEntry(name, bytes, random))
  } while (copy.size > 0 && random.chance(0.6))
  const zip = await zipOf(copy)
  const seed = { name: 'archive.zip', bytes: zip }
  return random.chance(0.05) ? mutated(seed, random, [seed]) : zip
}

/** The writer of archives refuses names that its reader would not take. */
function safeName(text: string): string {
  return `workouts/_${text.replace(/[^\w.-]/g, '_').slice(0, 200)}`
}

function spoiledEntry(name: string, bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const seed = { name, bytes }
  if (!name.endsWith('.json') || random.chance(0.15)) return new Uint8Array(mutated(seed, random, [seed]))
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return new TextEncoder().encode(JSON.stringify(mutatedJson(value, random)) ?? '')
  } catch {
    // spoiled before
    return new Uint8Array(mutated(seed, random, [seed]))
  }
}
