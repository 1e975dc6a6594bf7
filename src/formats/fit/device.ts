import type { ElevationSource } from '../../engine/track.ts'
import { present, type RawObject } from '../format.ts'
import type { FitPart } from './decode.ts'
import { manufacturerName, productName } from './names.ts'
import type { FitMessage } from './values.ts'

/** device_index, in device_info, of the device that wrote the file. */
const CREATOR = 0
/** source_type, in device_info, of a part of the device itself; device_type of that part when it is a barometer. */
const LOCAL_SOURCE = 5
const BAROMETER = 4

/**
 * Watches with a barometer that their files do not mention, by manufacturer and product. Garmin (1): Forerunner 910XT
 * and 920XT with their regional variants, Fenix, Fenix 2, Fenix 3, Fenix 3 HR, Epix. Suunto (23): 9 Baro. COROS (294):
 * APEX Pro.
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

/** The device that wrote a FIT file: from the creator's device_info when present, else from file_id. */
interface FitDevice {
  /** Product name, else manufacturer; null: unknown. */
  readonly name: string | null
  readonly elevationSource: ElevationSource
  /** The member `device` of rawFitData. */
  readonly raw: RawObject
}

export function fitDevice(part: FitPart): FitDevice {
  const infos = part.messages.deviceInfo ?? []
  const fileId = part.messages.fileId?.[0]
  const creators = infos.filter(({ deviceIndex }) => deviceIndex === CREATOR)
  const own = creators.length > 0 ? creators : infos.filter(({ deviceIndex }) => deviceIndex === undefined)
  const value = (field: string) => firstValue(own, field) ?? fileId?.[field]
  const manufacturer = value('manufacturer')
  const product = value('product')
  const written = value('productName')
  const maker = typeof manufacturer === 'number' ? manufacturerName(manufacturer) : null
  const isNumbered = typeof manufacturer === 'number' && typeof product === 'number'
  const numbered = isNumbered ? productName(manufacturer, product) : null
  const name = typeof written === 'string' ? written : numbered
  const isBarometric =
    infos.some(({ sourceType, deviceType }) => sourceType === LOCAL_SOURCE && deviceType === BAROMETER) ||
    (typeof product === 'number' && (BAROMETRIC_PRODUCTS.get(manufacturer)?.includes(product) ?? false))
  return {
    name: name ?? maker,
    elevationSource: isBarometric ? 'baro' : 'unknown',
    raw: present({
      manufacturer: maker ?? manufacturer,
      product,
      serialNumber: value('serialNumber'),
      productName: name,
    }),
  }
}

function firstValue(messages: readonly FitMessage[], field: string) {
  return messages.find((message) => message[field] !== undefined)?.[field]
}
