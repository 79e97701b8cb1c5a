/** Signs that engines have names for, in place of commands. */
const SIGNS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ',
    'sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω',
    'times × cdot × div ÷ pm ± mp ∓ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ~ infty ∞ sum ∑ prod ∏ int ∫ partial ∂',
    'nabla ∇ in ∈ notin ∉ subset ⊂ cup ∪ cap ∩ to → rightarrow → Rightarrow ⇒ leftarrow ← degree ° circ ° ldots … cdots … dots …',
  ]
    .join(' ')
    .split(' ')
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, words[index + 1] ?? ''])
      return pairs
    }, []),
)
const RAISED: Readonly<Record<string, string>> = { '2': '²', '3': '³', '°': '°' }

/** A group without groups within it. */
const GROUP = String.raw`\{([^{}]*)\}`
const FRACTION = new RegExp(String.raw`\\[dt]?frac\s*${GROUP}\s*${GROUP}`, 'g')
const ROOT = new RegExp(String.raw`\\sqrt\s*${GROUP}`, 'g')
/** Commands whose argument is what is said. */
const WORDED = new RegExp(
  String.raw`\\(?:text|textbf|mathrm|mathbf|mathbb|mathcal|operatorname|boxed|vec|hat|bar|overline)\s*${GROUP}`,
  'g',
)
const POWER = /\^\s*(?:\{([^{}]*)\}|(\S))/g
const COMMAND = /\\([A-Za-z]+)\*?|\\[,;:! ]|\\./g
/** Fractions within fractions. Deeper ones lose their order, but no sign. */
const DEPTH = 4

/**
 * Writes mathematics of LaTeX with signs and words in place of commands. The names of the signs are those of the engine.
 *
 * @example
 * readLatex(String.raw`x^2 \leq \frac{1}{2}`) // 'x² ≤ 1/2'
 */
export function readLatex(latex: string): string {
  let text = latex
  for (let depth = 0; depth < DEPTH; depth++)
    text = text
      .replace(WORDED, '$1')
      .replace(ROOT, '√ $1 ')
      .replace(FRACTION, (_, over: string, under: string) =>
        /^\d+$/.test(over) && /^\d+$/.test(under) ? `${over}/${under}` : `${over} ÷ ${under}`,
      )
      .replace(POWER, (_, group: string | undefined, sign: string | undefined) => {
        const power = (group ?? sign ?? '').trim()
        return RAISED[power] ?? (power === String.raw`\circ` ? '°' : ` ^ ${power} `)
      })
  return text
    .replace(COMMAND, (_, name: string | undefined) =>
      name === undefined ? ' ' : ` ${SIGNS[name] ?? name} `,
    )
    .replace(/[{}_&]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
