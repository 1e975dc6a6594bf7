import {
  type TBoolean,
  type TInteger,
  type TNull,
  type TNumber,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'
import { ERROR_CODES, type ErrorCode } from '../base/errors.ts'
import { IMPLAUSIBLE_REASONS, type ImplausibleReason } from '../engine/analysis.ts'
import { MAX_OFFSET_MINUTES } from '../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { TRIMMED } from './check.ts'

/** The body of every answer that is not a success. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'What is wrong, for people: a sentence that names the field and the rule' }),
    code: Type.Unsafe<ErrorCode>(
      Type.String({
        title: 'ErrorCode',
        description: `What is wrong, for programs. Codes may be added, none changes\n\n${Object.entries(ERROR_CODES)
          .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
          .join('\n')}`,
        enum: Object.keys(ERROR_CODES),
      }),
    ),
    field: Type.Optional(
      Type.String({
        description:
          'The member of the body, query, form or headers at fault, such as zones[1].minBpm; absent: not one',
      }),
    ),
  },
  { title: 'Error' },
)

export const Uuid = Type.String({ format: 'uuid' })

export const UtcOffset = nullable(
  integer('Minutes to add to UTC for local time at the place of the run; null: unknown'),
)

/** The client's UTC offset, which a query may leave out. */
export function offsetMinutes(whenAbsent: string) {
  return Type.Optional(
    integer({
      minimum: -MAX_OFFSET_MINUTES,
      maximum: MAX_OFFSET_MINUTES,
      description: `Minutes to add to UTC to get local time; ${whenAbsent}`,
    }),
  )
}

/** A calendar date that a query may leave out. */
export function optionalDay(description: string) {
  return Type.Optional(Type.String({ format: 'date', description }))
}

export const Latitude = number({ minimum: -90, maximum: 90, description: 'Degrees north' })
export const Longitude = number({ minimum: -180, maximum: 180, description: 'Degrees east' })

interface Limits {
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly default?: number
  readonly description?: string
}

/** @param about its meaning with its unit, or that with limits */
function about<T extends object>(options: string | T) {
  return typeof options === 'string' ? { description: options } : options
}

/** A whole number; 7.0 is accepted. TypeBox's own type, since Elysia's `t.Integer` also accepts the text "7". */
export function integer(options: string | Limits = {}): TInteger {
  return Type.Integer(about(options))
}

export function number(options: string | Limits): TNumber {
  return Type.Number(about(options))
}

export function text(options: string | { description: string; maxLength?: number }): TString {
  return Type.String(about(options))
}

export function flag(description: string): TBoolean {
  return Type.Boolean({ description })
}

/** A moment: ISO 8601 UTC, with a fraction only when it is not zero. */
export function moment(description: string): TString {
  return Type.String({ format: 'date-time', description })
}

export function day(description: string): TString {
  return Type.String({ format: 'date', description })
}

export function uuid(description: string): TString {
  return Type.String({ format: 'uuid', description })
}

/** A schema that others use too, as it is meant at one place. */
export function meaning<T extends TSchema>(description: string, schema: T): T {
  return { ...schema, description }
}

/** A shape that several places have, under the name of its component. */
export function titled<T extends TSchema>(title: string, schema: T): T {
  return { ...schema, title }
}

/** A text that is trimmed before it is counted in code points. */
export function trimmedText(options: { minLength?: number; maxLength?: number; description?: string }): TString {
  return Type.String({ ...options, [TRIMMED]: true })
}

/** One of a few words, case sensitive. */
export function choice<T extends string>(...words: readonly T[]): TUnsafe<T> {
  return Type.Unsafe(Type.Union(words.map((word) => Type.Literal(word))))
}

/** A flat union, since in the document a union inside a union would lose the null. */
export function nullable<T extends TSchema>(schema: T): TUnion<[T, TNull]> {
  const parts: TSchema[] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema]
  const { title, description } = schema
  const about = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  return Type.Union([...parts, Type.Null()], parts.length > 1 ? about : {}) as unknown as TUnion<[T, TNull]>
}

export const DeleteQuery = Type.Object({
  forever: Type.Optional(flag('true: deleted permanently, as always where UNDO_DAYS is 0; else moved to the trash')),
})

/** Members of one page of a list, beside its items, and what asks for one. */
export const PAGE = {
  totalCount: integer('Items of all pages'),
  page: integer('Number of this page, from 1'),
  pageSize: integer('Most items of a page'),
  totalPages: integer('0: the list is empty'),
}
export const PAGING = {
  page: Type.Optional(
    integer({ default: 1, description: 'From 1, as less counts; 404 past the end, unless the list is empty' }),
  ),
  pageSize: Type.Optional(integer({ default: 20, description: 'Less than 1 counts as 20, more than 100 as 100' })),
} as const

/** A standard distance in a path. */
export const StandardMetres = Type.Number({
  description: `Metres of a standard distance: ${STANDARD_DISTANCES.map(({ distanceM }) => distanceM).join(', ')}`,
})

/** Members of a best effort that state whether it is plausible and counts. */
export const PLAUSIBILITY = {
  isPlausible: flag('false: nobody can have run it'),
  implausibleReason: Type.Unsafe<ImplausibleReason | null>(
    Type.Union([...IMPLAUSIBLE_REASONS.map((reason) => Type.Literal(reason)), Type.Null()], {
      description:
        'Faster than the world record, faster than on foot, a gap in the samples, or a leap in them; null: plausible',
    }),
  ),
  isRaceResult: flag('true: the time of a race over its official distance'),
} as const

/** Member of a best effort that the runner is asked about. */
export const UNCONFIRMED = {
  isUnconfirmed: flag('true: unusually fast; it counts until the runner decides'),
} as const

/** The last time that files arrived by one way. */
export const Arrival = Type.Object(
  {
    at: moment('When it arrived'),
    error: nullable(text('Why nothing was imported; null: it was imported or is a duplicate')),
  },
  { title: 'Arrival' },
)

/** Keywords for the document only. A symbol, so that validation does not see them. */
const KEYWORDS: unique symbol = Symbol('documented')

/**
 * A schema whose documentation states more than its validation checks: limits that a feature checks itself, with its
 * own messages and order, such as those of passwords.
 */
export function documented<T extends TSchema>(schema: T, keywords: Readonly<Record<string, unknown>>): T {
  return { ...schema, [KEYWORDS]: keywords }
}

/**
 * A schema in the form of the document: plain JSON, with the keywords of `documented` and with bounds for integers,
 * which are exact only up to 2^53.
 */
export function documentOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(documentOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const shown = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, documentOf(value)]))
  const bounds = shown.type === 'integer' ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } : {}
  return { ...bounds, ...shown, ...(schema as { [KEYWORDS]?: object })[KEYWORDS] }
}
