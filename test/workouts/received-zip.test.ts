import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { restoreUpload } from '../../src/archive/restore/upload.ts'
import { setActor } from '../../src/http/author.ts'
import { importStravaUpload } from '../../src/strava/upload.ts'
import type { Turns } from '../../src/turns.ts'
import { testApp } from '../app.ts'
import { archiveOf } from '../archive/archives.ts'
import { filesOf, workout } from '../archive/restore/restoring.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'

const requestOf = (bytes: Uint8Array) => {
  const body = new FormData()
  body.append('file', new File(['words'], 'words.txt'))
  body.append('file', new File([bytes.slice()], 'a.zip'))
  const request = new Request('http://localhost/', { method: 'POST', body })
  setActor(request, 'browser')
  return request
}
const table = 'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename\n'

test('an upload that cannot be removed changes neither the answer of a restore nor that of a bulk import; of several files the archive counts', async () => {
  const archive = await archiveOf({ 'data/workouts.json': [workout(1)] })
  for (const [receive, bytes, answer] of [
    [restoreUpload, archive, { success: true, errors: [] }],
    [importStravaUpload, zipUpload({ 'activities.csv': table }).bytes, { totalProcessed: 0, errors: 0 }],
  ] as const) {
    await using app = await testApp()
    const turns: Turns = {
      waiting: () => 0,
      take: async (work) => {
        const summary = await work()
        // somebody else was faster
        for (const name of filesOf(app, 'tmp')) rmSync(join(app.deps.config.dataDir, 'tmp', name))
        return summary
      },
    }
    const response = await receive(app.deps, turns, requestOf(bytes))
    expect(await response.json()).toMatchObject(answer)
    expect(app.logged).toEqual([expect.stringContaining('An upload could not be removed')])
  }
})
