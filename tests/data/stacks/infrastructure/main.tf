terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
    }
  }
}
module "net" {
  source = "terraform-aws-modules/vpc/aws"
}
