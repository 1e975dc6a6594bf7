// Tables as spreadsheets leave them, and with values nobody would enter.
import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../app.ts'
import { jpeg } from '../../../fixtures/media.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'

const TITLES = 'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,Media'.split(',')
const RUN = ['1', '12.07.2016 17:13:58', 'Evening; with, "both"', 'Run', '600', '1,8', '', 'media/a.jpg']

function table(separator: string, lineEnd: string): string {
  const quoted = (cell: string) => (/["\s;,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return [TITLES, RUN].map((cells) => cells.map(quoted).join(separator) + lineEnd).join('')
}

describe('an activities.csv', () => {
  test.each([
    ['commas', ',', '\n'],
    ['semicolons, as a spreadsheet of many countries saves it', ';', '\r\n'],
    ['tabs', '\t', '\r'],
  ])('with %s, and captions likewise', async (_, separator, lineEnd) => {
    await using app = await testApp()
    const captions = `Media Filename${separator}Media Caption${lineEnd}media/a.jpg${separator}"Line 1${lineEnd}line 2"${lineEnd}`
    const csv = `\ufeff${table(separator, lineEnd)}`
    const zip = zipUpload({ 'activities.csv': csv, 'media.csv': captions, 'media/a.jpg': jpeg(99) })
    const { json } = await app.upload('/workouts/import/bulk', [zip])
    expect(json).toMatchObject({ successful: 1, errors: 0, mediaImported: 1, warnings: [] })
    const [run] = (await app.call('GET', '/workouts')).json.items
    expect(run).toMatchObject({ name: RUN[2], startedAt: '2016-07-12T17:13:58Z', durationS: 600, distanceM: 1800 })
    const [photo] = (await app.call('GET', `/workouts/${run.id}/media`)).json
    expect(photo.caption).toBe(`Line 1${lineEnd}line 2`)

    await using alone = await testApp()
    const bytes = table(separator, lineEnd)
    const single = (await alone.upload('/workouts/import', [{ name: 'activities.csv', bytes }])).json
    expect(single).toMatchObject({ action: 'created', startedAt: '2016-07-12T17:13:58Z', distanceM: 1800 })
  })
})
