import { Icon } from '../ui/icon.tsx'

const MIN_CHARACTERS = 16
const MAX_CHARACTERS = 64
const MAX_BYTES = 72

interface PasswordRulesProps {
  readonly password: string
  readonly username: string
}

/** The rules of a password, each marked once fulfilled; whether it is a common one is checked by the service. */
export function PasswordRules({ password, username }: PasswordRulesProps) {
  const length = [...password].length
  const name = username.trim().toLowerCase()
  const isNamed = [...name].length >= 3 && password.toLowerCase().includes(name)
  const isShort = length < MIN_CHARACTERS
  const isLong = length > MAX_CHARACTERS || new TextEncoder().encode(password).length > MAX_BYTES
  const rules: readonly (readonly [isKept: boolean, text: string])[] = [
    [
      !isShort && !isLong,
      isLong ? `At most ${MAX_CHARACTERS} characters` : `At least ${MIN_CHARACTERS} characters${counted(length)}`,
    ],
    [length > 0 && !/(.)\1{4}/su.test(password), 'No character five times in a row'],
    [length > 0 && !isNamed, 'Without your username'],
  ]
  return (
    <div class="rules">
      <ul aria-label="Rules of the password">
        {rules.map(([isKept, text]) => (
          <li key={text} class={isKept ? 'kept' : length > 0 ? 'open' : ''}>
            <Icon name={isKept ? 'check' : 'dot'} />
            {text}
            <span class="hidden-text">{isKept ? ' (kept)' : ' (not yet)'}</span>
          </li>
        ))}
      </ul>
      <p class="muted small">Four or five words that do not belong together are easy to remember and hard to guess.</p>
    </div>
  )
}

function counted(length: number): string {
  return length > 0 && length < MIN_CHARACTERS ? `, ${MIN_CHARACTERS - length} more` : ''
}
