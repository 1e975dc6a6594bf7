import { expect } from 'bun:test'
import { testApp } from '../app.ts'
import { corpusFile, corpusTest, expectedOf } from '../corpus.ts'

interface Run {
  readonly start_utc: string
  readonly distance_m: number
}

type Entry = Run & { readonly sessions?: readonly Run[] }

corpusTest('ZIPs of workout files have the runs that independent tools found in them', async () => {
  const archives = expectedOf('archives') as Record<string, { readonly entries?: Record<string, Entry | null> }>
  const names = [
    ...['plain-zip/Fr955v19.28andStryd.fit.zip', 'plain-zip/GarminFR955v18.zip'],
    ...['plain-zip/StrydPower-mutiple-float-values.zip', 'fittrackee/gpx_multiple_extensions.zip'],
    ...['fittrackee/gpx_test.zip', 'fittrackee/gpx_test_folder.zip'],
  ]
  for (const name of names) {
    await using app = await testApp()
    const sent = { name: name.split('/')[1]!, bytes: corpusFile(`archives/${name}`) }
    const { json } = await app.upload('/workouts/import/archive', [sent])
    const entries = Object.values(archives[name]?.entries ?? {})
    const runs: readonly Run[] = entries.flatMap((entry) => (entry === null ? [] : (entry.sessions ?? [entry])))
    // equal copies of one run are one
    const starts = new Set(runs.map(({ start_utc }) => start_utc))
    const ignored = entries.filter((entry) => entry === null).length
    expect([name, json]).toMatchObject([name, { kind: 'zip', successful: starts.size, errors: 0, ignored }])
    const { items } = await app.ok('GET', '/workouts')
    const [first] = runs
    expect(items[0].startedAt).toBe(first!.start_utc)
    expect(items[0].distanceM).toBeWithin(first!.distance_m * 0.99, first!.distance_m * 1.01)
    const again = await app.upload('/workouts/import/archive', [sent])
    expect(again.json).toMatchObject({ successful: 0, skipped: runs.length })
  }
})
