import type { ElevationSource } from '../../engine/track.ts'
import { present } from '../format.ts'
import type { FitPart } from './decode.ts'
import { MANUFACTURERS, nameOf, productName } from './names.ts'
import type { FitMessage } from './values.ts'

/** device_index, in device_info, of the device that wrote the file. */
const CREATOR = 0
/** source_type, in device_info, of a part of the device itself; device_type of that part. */
const LOCAL_SOURCE = 5
const [GPS, BAROMETER] = [0, 4]
/** Manufacturer and product of Harrier's own files, which name the part that the altitude comes from. */
const [DEVELOPMENT, HARRIER] = [255, 0]

/**
 * Watches with a barometer that their files do not mention, by manufacturer and product. Garmin (1): Forerunner 910XT,
 * 920XT, Fenix, Fenix 2, 3, 3 HR, Epix, with regional variants. Suunto (23): 9 Baro. COROS (294): APEX Pro.
 */
const BAROMETRIC_PRODUCTS: ReadonlyMap<unknown, readonly number[]> = new Map([
  [
    1,
    [
      1328, 1537, 1600, 1664, 1765, 2130, 2131, 2132, 1551, 1967, 1988, 2332, 2457, 2050, 2188, 2189, 2293, 2407, 2408,
      2413, 2473, 2474, 2475, 2476, 2477,
    ],
  ],
  [23, [34]],
  [294, [841]],
])

/**
 * The device that wrote a FIT file: from the creator's device_info when present, else from file_id. Its name is that of
 * the product, else of the manufacturer; `raw` is the member `device` of rawFitData.
 */
export function fitDevice(part: FitPart) {
  const infos = part.messages.deviceInfo ?? []
  const fileId = part.messages.fileId?.[0]
  const creators = infos.filter(({ deviceIndex }) => deviceIndex === CREATOR)
  const own = creators.length > 0 ? creators : infos.filter(({ deviceIndex }) => deviceIndex === undefined)
  const value = (field: string) => firstValue(own, field) ?? fileId?.[field]
  const manufacturer = value('manufacturer')
  const product = value('product')
  const written = value('productName')
  const maker = typeof manufacturer === 'number' ? nameOf(MANUFACTURERS, manufacturer) : null
  const isNumbered = typeof manufacturer === 'number' && typeof product === 'number'
  const numbered = isNumbered ? productName(manufacturer, product) : null
  const name = typeof written === 'string' ? written : numbered
  const hasPart = (part: number) =>
    infos.some(({ sourceType, deviceType }) => sourceType === LOCAL_SOURCE && deviceType === part)
  const isBarometric =
    hasPart(BAROMETER) ||
    (typeof product === 'number' && (BAROMETRIC_PRODUCTS.get(manufacturer)?.includes(product) ?? false))
  const isOfGps = manufacturer === DEVELOPMENT && product === HARRIER && hasPart(GPS)
  const elevationSource: ElevationSource = isBarometric ? 'baro' : isOfGps ? 'gps' : 'unknown'
  const known = { manufacturer: maker ?? manufacturer, product, serialNumber: value('serialNumber'), productName: name }
  return { name: name ?? maker, elevationSource, raw: present(known) }
}

function firstValue(messages: readonly FitMessage[], field: string) {
  return messages.find((message) => message[field] !== undefined)?.[field]
}
