/** A harrier (the bird) over a moor: two wings, and a track below. */
export function Logo({ isSmall = false }: { readonly isSmall?: boolean }) {
  return (
    <span class={isSmall ? 'logo small' : 'logo'}>
      <svg viewBox="0 0 46 34" aria-hidden="true">
        <path d="M2 9c8-3 15 0 21 10C29 9 36 6 44 9" />
        <path class="track" d="M23 19v12" />
      </svg>
      <span>Harrier</span>
    </span>
  )
}
