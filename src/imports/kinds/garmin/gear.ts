import { isObject } from '../../../base/json-object.ts'
import { fileTime } from '../../../engine/calendar/timestamp.ts'
import { cleanText } from '../../../formats/text-values.ts'
import type { Unpacking } from '../kind.ts'

/** Longest name of a shoe, as brand and model take it. */
const NAME_LENGTH = 100

/** Adds the shoes in a gear.json to the names by activity; of several on one activity the first stays. */
export function addGear(names: Map<string, string>, json: unknown, shoe: Unpacking['shoe'] = () => {}): void {
  for (const part of Array.isArray(json) ? json : [json]) {
    if (!isObject(part)) continue
    const shoes = shoeNames(part.gearDTOS, shoe)
    const worn = isObject(part.gearActivityDTOs) ? part.gearActivityDTOs : {}
    for (const [gear, activities] of Object.entries(worn)) {
      const name = shoes.get(gear)
      if (name === undefined || !Array.isArray(activities)) continue
      for (const activity of activities) {
        const id = isObject(activity) ? activity.activityId : null
        if ((typeof id === 'number' || typeof id === 'string') && !names.has(String(id))) names.set(String(id), name)
      }
    }
  }
}

/** By key; gear of another type than shoes is left out. */
function shoeNames(list: unknown, shoe: Unpacking['shoe']): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const gear of Array.isArray(list) ? list : []) {
    if (!isObject(gear) || !/^shoes$/i.test(textIn(gear.gearTypeName) ?? 'shoes')) continue
    const name = textIn(gear.customMakeModel) ?? textIn(gear.displayName)
    const isKey = typeof gear.gearPk === 'number' || typeof gear.gearPk === 'string'
    if (!isKey || name === null) continue
    names.set(String(gear.gearPk), name)
    shoe(name, /^retired$/i.test(textIn(gear.gearStatusName) ?? '') ? fileTime(textIn(gear.dateEnd) ?? '') : null)
  }
  return names
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value, NAME_LENGTH) : null
}
