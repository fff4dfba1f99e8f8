import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Manifest } from './lockFile.ts';
import type { ShippedPackage } from './shippedPackages.ts';

const ROOT = join(import.meta.dirname, '..');
/** npm marks packages that we build into the console as development dependencies. */
const DEVELOPMENT = 'cdx:npm:package:development';

type Component = { 'bom-ref': string; name: string; properties?: { name: string; value: string }[] };
export type Bom = {
  bomFormat: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** The bill of materials in CycloneDX, as npm makes it, without packages that only build and test. */
export function billOfMaterials(shipped: readonly ShippedPackage[], { name }: Manifest): Bom {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const text = execFileSync('npm', ['sbom', ...options], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const bom = JSON.parse(text) as Bom;
  // npm names the project after its folder.
  const component = { ...bom.metadata.component, name };
  const refs = new Set([component['bom-ref'], ...shipped.map((each) => `${each.name}@${each.version}`)]);
  return {
    ...bom,
    metadata: { ...bom.metadata, component },
    components: bom.components
      .filter((each) => refs.has(each['bom-ref']))
      .map((each) => ({ ...each, properties: each.properties?.filter((property) => property.name !== DEVELOPMENT) })),
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
}
