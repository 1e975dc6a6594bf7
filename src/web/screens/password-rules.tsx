import { PASSWORD } from '../../base/texts.ts'
import { Icon } from '../ui/icon.tsx'

/** The rules of a password, each marked once fulfilled; whether it is a common one is checked by the service. */
export function PasswordRules({ password, username }: { readonly password: string; readonly username: string }) {
  const length = [...password].length
  const name = username.trim().toLowerCase()
  const isNamed = [...name].length >= 3 && password.toLowerCase().includes(name)
  const isShort = length < PASSWORD.least
  const isLong = length > PASSWORD.most || new TextEncoder().encode(password).length > PASSWORD.mostBytes
  const rules: readonly (readonly [isKept: boolean, text: string])[] = [
    [
      !isShort && !isLong,
      isLong ? `At most ${PASSWORD.most} characters` : `At least ${PASSWORD.least} characters${counted(length)}`,
    ],
    [length > 0 && !/(.)\1{4}/su.test(password), 'No character five times in a row'],
    [length > 0 && !isNamed, 'Doesn’t contain your username'],
  ]
  return (
    <div class="rules stack">
      <ul class="stack gap-1 muted small" aria-label="Password rules">
        {rules.map(([isKept, text]) => (
          <li key={text} class={`level ${isKept ? 'kept' : length > 0 ? 'open' : ''}`}>
            <Icon name={isKept ? 'check' : 'dot'} />
            {text}
            <span class="hidden-text">{isKept ? ' (met)' : ' (not met)'}</span>
          </li>
        ))}
      </ul>
      <p class="muted small">Four or five unrelated words are easy to remember and hard to guess.</p>
    </div>
  )
}

function counted(length: number): string {
  return length > 0 && length < PASSWORD.least ? `, ${PASSWORD.least - length} more` : ''
}
