import type { TSchema } from '@sinclair/typebox'
import { invalid } from '../base/errors.ts'
import { isObject, UUID, valueOfKey } from '../base/json-object.ts'
import { parseTimestamp } from '../engine/calendar/timestamp.ts'
import { parseDay } from '../engine/calendar/weeks.ts'

/** The part of JSON Schema that request schemas use; every TypeBox schema has this form. */
interface Rule {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly const?: unknown
  readonly anyOf?: readonly Rule[]
  readonly properties?: Readonly<Record<string, Rule>>
  readonly required?: readonly string[]
  readonly items?: Rule
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly [TRIMMED]?: boolean
}

/** Marks a text that is trimmed before it is counted. A symbol, so that it is not in the document. */
export const TRIMMED: unique symbol = Symbol('trimmed')

/** Texts of these formats are read by the same functions later. */
const FORMATS: Readonly<Record<string, { readonly fits: (text: string) => boolean; readonly words: string }>> = {
  uuid: { fits: (text) => UUID.test(text), words: 'a UUID' },
  date: { fits: (text) => parseDay(text) !== null, words: 'a real date of the form yyyy-MM-dd' },
  'date-time': { fits: (text) => parseTimestamp(text) !== null, words: 'an ISO 8601 date-time' },
}

/**
 * Validates a decoded JSON value strictly against a schema: no coercion, characters counted as code points, object keys
 * in any case (the exact spelling wins), unknown keys dropped, UUIDs in lower case.
 * @param name of the value in error messages
 * @throws AppError 400 that names the first field that breaks its rule
 */
export function checked(schema: TSchema, value: unknown, name: string): unknown {
  return read(schema as Rule, value, name)
}

/** Number of Unicode code points. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function read(rule: Rule, value: unknown, name: string): unknown {
  if (rule.anyOf !== undefined) return readAny(rule, rule.anyOf, { value, name })
  if (!isOfType(rule, value)) throw violation(rule, name)
  if (isObject(value) && rule.type === 'object') return readObject(rule, value, name)
  if (Array.isArray(value) && rule.items !== undefined) {
    if (!within(value.length, rule.minItems, rule.maxItems)) throw violation(rule, name)
    const { items } = rule
    return value.map((item, index) => read(items, item, `${name}[${index}]`))
  }
  if (typeof value === 'string') return readText(rule, value, name)
  if (typeof value === 'number' && !isInRange(rule, value)) throw violation(rule, name)
  return value
}

/** The first alternative that matches. When one of the value's own type fails inside, its message is the better one. */
function readAny(
  rule: Rule,
  alternatives: readonly Rule[],
  { value, name }: { value: unknown; name: string },
): unknown {
  const ofType = alternatives.filter((alternative) => alternative.anyOf !== undefined || isOfType(alternative, value))
  const [only] = ofType
  if (only !== undefined && (only.type === 'object' || only.type === 'array')) return read(only, value, name)
  for (const alternative of ofType) {
    try {
      return read(alternative, value, name)
    } catch {
      // try the next alternative
    }
  }
  throw violation(rule, name)
}

function readObject(rule: Rule, value: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(rule.properties ?? {})) {
    const path = name === '' ? key : `${name}.${key}`
    const sent = valueOfKey(value, key)
    if (sent !== undefined) found[key] = read(property, sent, path)
    else if (rule.required?.includes(key) === true)
      throw invalid(`${path} is required and must be ${wording(property)}`, { field: path })
  }
  return found
}

function readText(rule: Rule, value: string, name: string): string {
  const text = rule[TRIMMED] === true ? value.trim() : value
  if (!within(characters(text), rule.minLength, rule.maxLength)) throw violation(rule, name)
  if (FORMATS[rule.format ?? '']?.fits(text) === false) throw violation(rule, name)
  return rule.format === 'uuid' ? text.toLowerCase() : text
}

function isOfType(rule: Rule, value: unknown): boolean {
  if (rule.const !== undefined) return value === rule.const
  switch (rule.type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case undefined:
      return true
    default:
      return typeof value === rule.type
  }
}

function isInRange({ minimum, exclusiveMinimum, maximum, multipleOf }: Rule, value: number): boolean {
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false
  return within(value, minimum, maximum) && (multipleOf === undefined || Number.isInteger(value / multipleOf))
}

function within(value: number, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY): boolean {
  return value >= minimum && value <= maximum
}

function violation(rule: Rule, name: string): Error {
  if (name === '') return invalid(`The request body must be ${wording(rule)}`)
  return invalid(`${name} must be ${wording(rule)}`, { field: name })
}

/** A rule in words: `an integer from 1 to 10 or null`. */
function wording(rule: Rule): string {
  if (rule.anyOf !== undefined) return alternativesInWords(rule.anyOf)
  if (rule.const !== undefined) return String(rule.const)
  const format = FORMATS[rule.format ?? '']
  if (format !== undefined) return format.words
  switch (rule.type) {
    case 'integer':
      return `an integer${range(rule.minimum, rule.maximum)}`
    case 'number':
      if (rule.exclusiveMinimum !== undefined)
        return `a number above ${rule.exclusiveMinimum}${range(undefined, rule.maximum)}`
      return `${rule.multipleOf === 1 ? 'an integer' : 'a number'}${range(rule.minimum, rule.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return rule.minLength === undefined && rule.maxLength === undefined
        ? 'text'
        : `text of ${count(rule.minLength ?? 0, rule.maxLength)} characters`
    case 'array':
      return rule.minItems === undefined && rule.maxItems === undefined
        ? 'an array'
        : `an array of ${count(rule.minItems ?? 0, rule.maxItems)} entries`
    case 'null':
      return 'null'
    default:
      return 'an object'
  }
}

function alternativesInWords(alternatives: readonly Rule[]): string {
  const choices = alternatives.filter((rule) => rule.const !== undefined)
  const others = alternatives.filter((rule) => rule.const === undefined).map(wording)
  if (choices.length < 2) return [...choices.map(wording), ...others].join(' or ')
  return [`one of ${choices.map(wording).join(', ')}`, ...others].join(' or ')
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

function count(minimum: number, maximum: number | undefined): string {
  if (minimum === maximum) return `exactly ${minimum}`
  if (maximum === undefined) return `at least ${minimum}`
  return minimum === 0 ? `at most ${maximum}` : `${minimum} to ${maximum}`
}
