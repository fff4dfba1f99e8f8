import { BooleanField, ChipField, DataTable, DateField, List, SearchInput, TextField } from 'react-admin';

type Domain = { dns: { is_valid: boolean }[] };

const filters = [<SearchInput key="q" source="q" placeholder="Search by name" alwaysOn />];

/** The columns of the console's list, with the fields that react-admin has for them. */
export function DomainList() {
  return (
    <List filters={filters} perPage={25} sort={{ field: 'created_at', order: 'DESC' }}>
      <DataTable bulkActionButtons={false}>
        <DataTable.Col source="name" label="Domain" />
        <DataTable.Col label="DNS records" disableSort render={recordsWords} />
        <DataTable.Col source="verified" field={BooleanField} />
        <DataTable.Col source="status" field={ChipField} />
        <DataTable.Col source="verification" field={ChipField} />
        <DataTable.Col source="mail_from_domain" label="MAIL FROM">
          <TextField source="mail_from_domain" /> <BooleanField source="mail_from_verified" />
        </DataTable.Col>
        <DataTable.Col source="provider" />
        <DataTable.Col source="created_at" label="Created" field={DateField} />
      </DataTable>
    </List>
  );
}

function recordsWords({ dns }: Domain) {
  return dns.length === 0 ? 'No records' : `${dns.filter((record) => record.is_valid).length} of ${dns.length} valid`;
}
