// The scripts' texts in the language of the page: in English as they stand, in others as the page's first script has them.

const TEXTS = window.upscoreTexts ?? {};
const rules = new Intl.PluralRules(document.documentElement.lang || "en");

const filled = (template, values) => template.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

// Returns a text with its values: t("Rule %(number)s", { number: 5 }).
export const t = (text, values = {}) => filled(TEXTS[text] ?? text, values);

// Returns the one of two texts that a number decides on; the number is a value of both.
export function plural(one, many, number, values = {}) {
  const forms = TEXTS[one] ?? [one, many];
  return filled(forms[rules.select(number) === "one" ? 0 : 1], { number, ...values });
}
