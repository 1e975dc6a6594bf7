import { expect, test } from 'bun:test'
import { gpxFormat } from '../../src/formats/xml/gpx.ts'
import { gpxOfTexts } from '../fixtures/bombs.ts'

const MIB = 1024 * 1024
const gpxRun = (texts: Parameters<typeof gpxOfTexts>[0]) =>
  gpxFormat.parse(gpxOfTexts(texts), { filename: 'a.gpx' }).activities[0]!
const metadataOf = (texts: Parameters<typeof gpxOfTexts>[0]) =>
  gpxRun(texts).rawGpxData?.().metadata as Record<string, string>

test('texts of a GPX are cut, each to its length', () => {
  const long = 'é😀'.repeat(MIB / 4)
  const run = gpxRun({ creator: long, trackName: long, trackDescription: long })
  expect([run.device, run.name, run.notes].map((text) => [...text!].length)).toEqual([100, 200, 10_000])
  const { desc, keywords } = metadataOf({ metadataDescription: long, keywords: long })
  expect([[...desc!].length, [...keywords!].length]).toEqual([10_000, 2000])
  expect(desc).toBe('é😀'.repeat(5000))
})
